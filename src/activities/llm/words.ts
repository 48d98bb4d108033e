import { z } from 'zod';

const ROLES = ['system', 'user', 'assistant'] as const;
/** A task may only wait for so much at once. */
const MOST_TOKENS = 10_000_000;
const PARAMETER = {
  temperature: 'has to be a number from 0 to 2',
  max_output_tokens: `has to be a whole number from 1 to ${MOST_TOKENS}`,
  messages: 'has to be a list of {role, content}, or an expression that gives one',
};

const message = z.strictObject({
  role: z.enum(ROLES).describe('Who says it'),
  content: z.string().describe('What is said'),
});

/** The words of a plan file, in which expressions may stand for any text or number. */
export const fileWords = llmWords((text) => text.includes('${{'));
/** The same with expressions filled in. */
export const renderedWords = llmWords(() => false);
export type RenderedWords = z.infer<typeof renderedWords>;

function llmWords(open: (text: string) => boolean) {
  const expression = (rule: string, fits: (text: string) => boolean = () => false) =>
    z.string().refine((given) => open(given) || fits(given), rule);
  const number = (least: number, most: number, whole: boolean, rule: string) => {
    const fits = (given: number) => given >= least && given <= most && (!whole || Number.isInteger(given));
    return z.union([
      z.number(rule).refine(fits, rule),
      expression(rule, (text) => text.trim() !== '' && fits(Number(text))),
    ]);
  };
  return z
    .strictObject({
      prompt: z.string().min(1, 'must not be empty').optional().describe('What the model is asked'),
      system: z.string().optional().describe('What it is told first: who it is, and how it works'),
      messages: z
        .union([z.array(message).min(1), expression(PARAMETER.messages)])
        .optional()
        .describe('What was said before the prompt'),
      model: z
        .string()
        .min(1, 'must not be empty')
        .optional()
        .describe('A model profile, or the name of a model; HOLDPOINT_LLM_MODEL unless said'),
      output: z
        .record(z.string(), z.json())
        .optional()
        .describe('A JSON Schema: the answer is JSON that fits it, and becomes the output `json`'),
      temperature: number(0, 2, false, PARAMETER.temperature)
        .optional()
        .describe('From 0 to 2; up to the model unless said'),
      max_output_tokens: number(1, MOST_TOKENS, true, PARAMETER.max_output_tokens)
        .optional()
        .describe('How long the answer may be; up to the model unless said'),
    })
    .refine(({ prompt, messages }) => prompt !== undefined || messages !== undefined, {
      path: ['prompt'],
      message: 'is missing: say what the model is asked, as prompt or messages',
    });
}
