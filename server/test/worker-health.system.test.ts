import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { findFreePort, startProgram } from '#testing/program.ts'

it('a worker alone tells its health on HEALTH_PORT and nothing else, and listens nowhere besides', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'revelations-worker-'))
  const healthPort = String(await findFreePort())
  const program = await startProgram({ DATA_DIR: folder, ROLE: 'worker', HEALTH_PORT: healthPort })
  try {
    const at = `http://127.0.0.1:${healthPort}`
    const health = await fetch(`${at}/api/health`)
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok', disk: 'ok' }])
    for (const url of ['/', '/api/revelations', '/api/auth/me', '/api/docs/json', '/health']) {
      const { status } = await fetch(at + url)
      expect([url, status]).toEqual([url, 404])
    }
    const written = await fetch(`${at}/api/health`, { method: 'POST' })
    expect(written.status).toBe(404)
    await expect(fetch(`${program.origin}/api/health`)).rejects.toThrow()
  } finally {
    expect(await program.end('SIGTERM')).toBe(0)
    await rm(folder, { recursive: true })
  }
})
