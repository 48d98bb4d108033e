import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

export const STATE_ATTRIBUTE = defineSearchAttributeKey('HoldpointState', SearchAttributeType.KEYWORD);
