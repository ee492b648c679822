/**
 * The table of behaviour.md 2.8 for sounds: shared = the author’s accepted family; private = author and
 * recipient, who is family or friend. « sealed → heard » : before and from its instant; nobody hears a sealed one, its
 * author included. What was somebody’s before a tie ended or a block is nobody’s any more.
 */
const TABLE = {
  visitor: row('nothing', 'nothing', 'nothing'),
  stranger: row('nothing', 'nothing', 'nothing'),
  friend: row('nothing', 'nothing', 'nothing'),
  family: row('sealed → heard', 'nothing', 'nothing'),
  'recipient who is a friend': row('nothing', 'sealed → heard', 'nothing'),
  'recipient who is family': row('sealed → heard', 'nothing', 'sealed → heard'),
  'recipient no longer related': row('nothing', 'nothing', 'nothing'),
  'recipient who is blocked': row('nothing', 'nothing', 'nothing'),
  author: row('sealed → heard', 'sealed → heard', 'sealed → heard'),
}

function row(shared: string, forFriend: string, forFamily: string) {
  return { shared, 'for a friend': forFriend, 'for family': forFamily }
}

export type SoundViewer = keyof typeof TABLE
export const SOUND_VIEWERS = Object.keys(TABLE) as SoundViewer[]

export type SoundKind = keyof ReturnType<typeof row>
export const SOUND_KINDS = ['shared', 'for a friend', 'for family'] as const

export type Hearing = 'nothing' | 'sealed' | 'heard'

export function hearingOf(viewer: SoundViewer, kind: SoundKind, isRevealed: boolean): Hearing {
  const [before = '', after = before] = TABLE[viewer][kind].split(' → ')
  return (isRevealed ? after : before) as Hearing
}
