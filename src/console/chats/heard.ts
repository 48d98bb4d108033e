/** What is told by events alone, and is not to be read again later. */
export interface ChatHeard {
  /** By agent: the last that went wrong, also when it is tried again. */
  errors: Readonly<Record<string, AgentError>>;
  /** By checkpoint: what became of it. */
  resolved: Readonly<Record<string, Resolved>>;
}
export interface AgentError {
  error: string;
  errorType: string | null;
}
export interface Resolved {
  option: string | null;
  timedOut: boolean;
}

export const NOTHING_HEARD: ChatHeard = { errors: {}, resolved: {} };

export interface ChatEvent {
  type: string;
  payload: Record<string, unknown>;
}

/** What is known after an event. */
export function withEvent(heard: ChatHeard, { type, payload }: ChatEvent): ChatHeard {
  const { agentName, error, errorType, checkpointId, option, timedOut, status } = payload;
  if (type === 'agent_error' && typeof agentName === 'string') {
    const told = { error: String(error), errorType: typeof errorType === 'string' ? errorType : null };
    return { ...heard, errors: { ...heard.errors, [agentName]: told } };
  }
  if (type === 'agent_status' && status === 'completed' && typeof agentName === 'string') {
    const { [agentName]: _, ...errors } = heard.errors;
    return { ...heard, errors };
  }
  if (type === 'pipeline_checkpoint_resolved' && typeof checkpointId === 'string') {
    const told = { option: typeof option === 'string' ? option : null, timedOut: timedOut === true };
    return { ...heard, resolved: { ...heard.resolved, [checkpointId]: told } };
  }
  return heard;
}
