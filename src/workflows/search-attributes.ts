import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '../contract/search-attributes.ts';

/** The plan's state, written whenever it changes; lists are made from it. */
export const STATE_ATTRIBUTE = defineSearchAttributeKey(SEARCH_ATTRIBUTES.state.name, SearchAttributeType.KEYWORD);
