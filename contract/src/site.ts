import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'

/** Who runs this site, as its legal pages say it; null for what the operator did not write down. */
export const operatorSchema = z.object({
  name: z.nullable(z.string()),
  address: z.nullable(z.string()),
  email: z.nullable(z.string()),
  /** In the register of companies, if it is one. */
  company_number: z.nullable(z.string()),
  /** Whose machines it runs on. */
  hosting: z.nullable(z.string()),
})
export type Operator = z.infer<typeof operatorSchema>

export const getSite = defineEndpoint({
  method: 'GET',
  url: '/api/site',
  scope: 'read',
  schema: {
    summary: 'Who runs this site',
    tags: ['site'],
    response: { 200: z.object({ operator: operatorSchema }) },
  },
})
