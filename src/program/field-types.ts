export const FIELD_TYPES = ['string', 'integer', 'number', 'boolean', 'date', 'json'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];
