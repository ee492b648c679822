import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Made by `script/make-demo-media.ts`. */
const FOLDER = path.resolve(import.meta.dirname, '../../demo-media')
const A_DAY_SECONDS = 86_400

/** The films and pictures of the demo: invented, the same for everybody, and no door to any other file. */
export async function registerDemoMedia(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: FOLDER,
    prefix: '/api/demo/',
    wildcard: false,
    index: false,
    cacheControl: false,
    decorateReply: false,
    setHeaders: (reply) => {
      reply.header('cache-control', `public, max-age=${A_DAY_SECONDS}`)
      reply.header('content-security-policy', "sandbox; default-src 'none'")
    },
  })
}
