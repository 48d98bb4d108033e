// Writes the JSON Schema of plan files, for editors, from the schema that the program itself checks them with.
import { writeFileSync } from 'node:fs';
import { planFileJsonSchema } from '../dist/service/plan-file/json-schema.js';

const path = new URL('../schema/plan-1.schema.json', import.meta.url);
writeFileSync(path, `${JSON.stringify(planFileJsonSchema(), null, 2)}\n`);
