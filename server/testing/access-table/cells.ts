import { expect } from 'vitest'
import type { Answer } from '#testing/test-server.ts'
import { type Item, REVEAL, type Stage } from './stage.ts'
import type { Subject, Viewer } from './table.ts'

export type Expected = number | 'as unknown'

export interface Door {
  viewer: Viewer
  name: string
  /** The status for a missing id. */
  statusOfUnknown: number
  call(isThere: boolean): Promise<Answer>
}

/** Counts the cells of the table and collects the wrong ones. */
export interface Cells {
  stage: Stage
  isHidden: boolean
  count: number
  check(cell: string, isRight: boolean, seen: unknown): void
  /** Calls for an existing thing and for a missing one: without a right, both answers are equal. */
  checkAnswer(item: Item, expected: Expected, door: Door): Promise<Answer>
  expectAllRight(): void
  /** The revelation in the present state. */
  subjectOf(item: Item): Subject
  /** Sets the clock and the hiding, and clears the answers about missing things. */
  startState(state: { offsetMs: number; isHidden: boolean }): Promise<void>
}

export function createCells(stage: Stage): Cells {
  /** The answers about missing things, by viewer and door. */
  const unknowns = new Map<string, Answer>()
  const wrong: string[] = []
  const cells: Cells = {
    stage,
    isHidden: false,
    count: 0,
    check(cell, isRight, seen) {
      cells.count += 1
      if (!isRight) wrong.push(`${cell}: ${seen}`)
    },
    async checkAnswer(item, expected, { viewer, name, statusOfUnknown, call }) {
      const cell = `${viewer}, ${item.code}, ${name}`
      const answer = await call(true)
      if (expected !== 'as unknown') {
        cells.check(cell, answer.status === expected, answer.status)
        return answer
      }
      const key = `${viewer}, ${name}`
      const unknown = unknowns.get(key) ?? (await call(false))
      unknowns.set(key, unknown)
      const isSame = unknown.status === statusOfUnknown && wholeOf(answer) === wholeOf(unknown)
      cells.check(cell, isSame, `${answer.status} ${answer.text}`)
      return answer
    },
    expectAllRight() {
      expect(wrong.splice(0)).toEqual([])
    },
    subjectOf({ visibility, isNotified }) {
      const { isHidden } = cells
      const isRevealed = stage.server.clock.now >= REVEAL
      return { visibility: isHidden ? 'private' : visibility, isNotified, isRevealed, isHidden }
    },
    async startState({ offsetMs, isHidden }) {
      cells.isHidden = isHidden
      await stage.setHidden(isHidden)
      stage.server.clock.now = new Date(REVEAL.getTime() + offsetMs)
      unknowns.clear()
      // More openings in a minute than an account may, with one account in three of the viewers.
      await stage.server.ctx.pool.query('delete from rate_counts')
    },
  }
  return cells
}

/** The whole of an answer, but for the date of the wall clock. */
export function wholeOf({ status, headers, text }: Answer): string {
  const fixed = Object.entries(headers).filter(([name]) => name !== 'date')
  return JSON.stringify([status, fixed, text])
}
