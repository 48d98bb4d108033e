/** What a message can be for; the template of each has its name. */
export const INTENTS = ['build', 'fix', 'question'] as const;
export type Intent = (typeof INTENTS)[number];
export const SCOPES = ['frontend', 'backend', 'styling', 'full'] as const;

/** The plan files that a pipeline is made of, in the order of their work. */
export const TEMPLATES = ['classify', ...INTENTS, 'finish'] as const;
export type TemplateName = (typeof TEMPLATES)[number];

/** The task that says what a message is for. */
export const CLASSIFY = 'classify';
/** Without what this one of `build` finds out nothing later is worth keeping (document 3). */
export const RESEARCH = 'build_research';

/** One plan holds the tasks of all templates: each is called after its template, too. */
export const taskIdOf = (template: TemplateName, id: string): string => (template === id ? id : `${template}_${id}`);

export interface Agent {
  template: TemplateName;
  agentName: string;
}

/** Whose task it is; undefined for one that no template has. */
export function agentOf(taskId: string): Agent | undefined {
  for (const template of TEMPLATES) {
    if (taskId === template) return { template, agentName: taskId };
    if (taskId.startsWith(`${template}_`)) return { template, agentName: taskId.slice(template.length + 1) };
  }
  return undefined;
}
