import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { getSite } from '#contract/site.ts'
import type { AppContext } from '#server/context.ts'

/** The operator of this installation, for the legal pages. */
export function siteRoutes({ config }: AppContext): FastifyPluginAsyncZod {
  const { name, address, email, companyNumber, hosting } = config.operator
  return async (app) => {
    app.route({
      ...getSite,
      handler: async () => ({
        operator: { name, address, email, company_number: companyNumber, hosting },
      }),
    })
  }
}
