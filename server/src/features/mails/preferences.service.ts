import { PREFERENCES, type Preferences } from '#contract/subscriptions.ts'
import type { AppContext } from '#server/context.ts'
import { findPreferences, savePreferences } from './preferences.repository.ts'

/** Which mails a person wants: all of them until they choose. */
export async function getPreferences(ctx: AppContext, userId: string): Promise<Preferences> {
  return preferencesOf(await findPreferences(ctx.db, userId))
}

/** Changes what is given and leaves the rest. */
export async function choosePreferences(
  ctx: AppContext,
  userId: string,
  input: { [name in keyof Preferences]?: boolean | undefined },
): Promise<Preferences> {
  const chosen = PREFERENCES.flatMap((name) =>
    input[name] === undefined ? [] : [[name, input[name]] as const],
  )
  return preferencesOf(await savePreferences(ctx.db, userId, Object.fromEntries(chosen)))
}

function preferencesOf(row: Preferences | undefined): Preferences {
  const entries = PREFERENCES.map((name) => [name, row?.[name] ?? true])
  return Object.fromEntries(entries) as Preferences
}
