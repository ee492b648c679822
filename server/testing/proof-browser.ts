import { provedInstantInWords } from '#contract/date-in-words.ts'
import { becauseOf, type Evidence } from '#contract/proofs/evidence.ts'
import { type KnownLog, knownLogOf } from '#contract/proofs/known-log.ts'
import {
  believedLog,
  contradictedAt,
  emptyMemory,
  heldFor,
  type LogMemory,
  logBefore,
  pinnedLog,
} from '#contract/proofs/log-memory.ts'
import type { AnyProof } from '#contract/proofs/proof.ts'
import { type Ask, answer, type LogAnswer, sight } from '#contract/proofs/sight.ts'
import type { Context, Verdict } from '#contract/proofs/verdict.ts'
import { sentenceOf, verdictInWords } from '#contract/proofs/verdict-in-words.ts'
import { verify } from '#contract/proofs/verify.ts'
import type { Person, TestApp } from './test-server.ts'

/** A visit of a page of the product, as far as proofs go. */
interface Visit {
  as?: Person
  /** Whether the log leaves every question unanswered. */
  isSilent?: boolean
  /** What is shown in place of the true answer to `/proof`. */
  altered?: (proof: AnyProof) => unknown
}

/** What somebody reads of a verdict. */
export interface Read {
  state: Verdict['state']
  headline: string
  /** What follows it. */
  sentences: string[]
  /** The sentence of each step that failed. */
  failed: string[]
  /** Of each that is open. */
  open: string[]
}

/** By the clocks of a reader whose zone is that of the log. */
export function instantInWords(instant: string | Date): string {
  return provedInstantInWords(new Date(instant), 'UTC')
}

function readVerdict(verdict: Verdict): Read {
  const sentencesOf = (state: string) =>
    verdict.steps
      .filter((step) => step.state === state)
      .map((step) => sentenceOf(step, instantInWords))
  const [headline = '', ...sentences] = verdictInWords(verdict, instantInWords)
  return {
    ...{ state: verdict.state, headline, sentences },
    failed: sentencesOf('failed'),
    open: sentencesOf('later'),
  }
}

/** A browser with its memory, which reads over HTTP and verifies as the pages do. */
export class ProofBrowser {
  memory: LogMemory = emptyMemory()

  /** Opens the page of a revelation and verifies it there. */
  async visit(server: TestApp, id: string, { as, isSilent, altered }: Visit = {}): Promise<Read> {
    const [page, proved] = [
      await server.call('GET', `/api/revelations/${id}`, { as }),
      await server.call('GET', `/api/revelations/${id}/proof`, { as }),
    ]
    const proof = altered ? altered(proved.body) : proved.body
    const { known, found } = await this.record(server, proof.checkpoint, 'met', isSilent)
    const origin = known?.origin ?? ''
    const [contradiction] = found
    return readVerdict(
      verify(proof, {
        ...{ known, now: server.clock.now, held: heldFor(this.memory, origin, proof.checkpoint) },
        contradictedAt: contradictedAt(this.memory, origin),
        logBefore: logBefore(this.memory, origin),
        contradiction: contradiction && becauseOf(contradiction),
        ...shownBy(page.body.revelation),
      }),
    )
  }

  /** Records a checkpoint, from a page or from a mail. */
  async record(
    server: TestApp,
    note: string | null,
    source: 'met' | 'mailed',
    isSilent = false,
  ): Promise<{ known: KnownLog | undefined; found: Evidence[]; isSigned: boolean }> {
    const { status, body } = await server.call('GET', '/api/proofs/keys')
    const statements: string[] = status === 200 ? body.statements : []
    const served = status === 200 ? knownLogOf(body.key, body.statement) : undefined
    if (!served || note === null) {
      const known = served ? believedLog(this.memory, served, statements) : pinnedLog(this.memory)
      return { known, found: [], isSigned: false }
    }
    const { now } = server.clock
    const seen = sight(this.memory, {
      ...{ known: served, statements, note, source, now },
    })
    this.memory = seen.memory
    const found = [...seen.found]
    for (let { asks } = seen; asks.length > 0; ) {
      const again: Ask[] = []
      for (const question of asks) {
        const logAnswer = isSilent ? undefined : await fetchLogAnswer(server, question)
        const next = answer(this.memory, question, logAnswer, now)
        this.memory = next.memory
        found.push(...next.found)
        again.push(...next.asks)
      }
      asks = again
    }
    return { known: believedLog(this.memory, served, statements), found, isSigned: seen.isSigned }
  }
}

async function fetchLogAnswer(server: TestApp, { from, to }: Ask): Promise<LogAnswer> {
  const { status, body } = await server.call('GET', `/api/proofs/consistency?from=${from}&to=${to}`)
  if (status === 200) return body
  const end = await server.call('GET', '/api/proofs/checkpoint')
  return status === 404 && end.status === 200 ? { end: end.text } : undefined
}

/** What the page says beside the proof. */
function shownBy(
  // biome-ignore lint/suspicious/noExplicitAny: as it was answered
  { id, author_id, version, created_at, title, kind, reveal_date, content, ...rest }: any,
): Pick<Context, 'page' | 'shown'> {
  return {
    page: {
      ...{ id, version, title, kind, content: content ?? undefined },
      ...{ authorId: author_id, sealedAt: created_at, revealAt: reveal_date },
    },
    shown: { audience: rest.visibility, publicSince: rest.public_since },
  }
}

/** A verifier that is downloaded now, with the log that it carries; it is used later, without a network. */
export async function downloadVerifier(server: TestApp): Promise<(proof: unknown) => Read> {
  const [keys, end] = [
    await server.call('GET', '/api/proofs/keys'),
    await server.call('GET', '/api/proofs/checkpoint'),
  ]
  const known = knownLogOf(keys.body.key, keys.body.statement)
  const since = server.clock.now.toISOString()
  const stored = [{ key: keys.body.key, note: end.text, source: 'carried' as const, since }]
  return (proof) => readVerdict(verify(proof, { known, held: stored, now: server.clock.now }))
}
