import { fields, isHex32, isInstant, isRecord, isText, sha256 } from './commitment.ts'

export interface NamedFile {
  sha256: string
  label: string
}

export interface OpenField {
  name: string
  salt: string
  type: string
  value: null | string | NamedFile[]
}

export interface ClosedField {
  name: string
  hash: string
}

export type Field = OpenField | ClosedField

export interface BoundLeaf {
  kind: string
  version: number
  sealed_at: string
  /** Hexadecimal, like the next two; `former` is empty where there is none. */
  identity: string
  former: string
  commitment: string
}

/** What every creation and edit has, and the types that each may have. */
const NEEDED: Record<string, string[]> = {
  audience: ['text'],
  content: ['text'],
  files: ['files', 'none'],
  reveal_at: ['instant'],
  title: ['text'],
}

/** What every proof tells, wherever a leaf names it. */
export const ALWAYS_OPEN = ['audience', 'kind']

const bytes = (hex: string) => Buffer.from(hex, 'hex')

export const isOpen = (field: Field): field is OpenField => 'salt' in field

function partsOf({ value }: OpenField): (string | Uint8Array)[] {
  if (value === null) return []
  if (typeof value === 'string') return [value]
  return value.flatMap((file) => [bytes(file.sha256), file.label])
}

export function fieldHash(field: OpenField): Buffer {
  const { salt, name, type } = field
  return sha256(fields('revelations.app/field/v2', bytes(salt), name, type, ...partsOf(field)))
}

export function commitmentOfFields(list: Field[]): Buffer {
  const named = list.flatMap((field) => [
    field.name,
    isOpen(field) ? fieldHash(field) : bytes(field.hash),
  ])
  return sha256(fields('revelations.app/commitment/v2', ...named))
}

export function identityOf(blinding: string, revelation_id: string, author_id: string): Buffer {
  return sha256(fields('revelations.app/identity/v2', bytes(blinding), revelation_id, author_id))
}

/** What a leaf calls its former when all those before it are of format 1. */
export function formerOfFirstFormat(leafHashes: Uint8Array[]): Buffer {
  return sha256(fields('revelations.app/former/v1', ...leafHashes))
}

export function boundLeafBytes(leaf: BoundLeaf): Buffer {
  return fields(
    'revelations.app/leaf/v2',
    leaf.kind,
    leaf.version,
    bytes(leaf.identity),
    bytes(leaf.former),
    bytes(leaf.commitment),
    leaf.sealed_at,
  )
}

function isNormalText(value: unknown): value is string {
  return isText(value) && value.normalize('NFC') === value
}

function isNamedFile(value: unknown): boolean {
  return isRecord(value) && isHex32(value.sha256) && isNormalText(value.label)
}

const IS_VALUE: Record<string, (value: unknown) => boolean> = {
  none: (value) => value === null,
  text: isNormalText,
  instant: isInstant,
  files: (value) => Array.isArray(value) && value.length > 0 && value.every(isNamedFile),
}

function hasExactly(value: object, names: string[]): boolean {
  return (
    Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name))
  )
}

function isField(value: unknown): value is Field {
  if (!isRecord(value)) return false
  const { name, hash, salt, type, value: told } = value
  if (typeof name !== 'string' || !/^[a-z][a-z0-9_]{0,39}$/.test(name)) return false
  if (hasExactly(value, ['name', 'hash'])) return !ALWAYS_OPEN.includes(name) && isHex32(hash)
  if (!hasExactly(value, ['name', 'salt', 'type', 'value'])) return false
  if (!isHex32(salt) || typeof type !== 'string' || !Object.hasOwn(IS_VALUE, type)) return false
  if (Object.hasOwn(NEEDED, name) && !NEEDED[name]?.includes(type)) return false
  if (name === 'kind' && type !== 'text') return false
  return IS_VALUE[type]?.(told) === true
}

/** 1 to 64 fields whose names ascend, with those that a leaf of this kind must and must not have. */
export function areFieldsOf(kind: string, list: unknown): list is Field[] {
  if (!Array.isArray(list) || list.length < 1 || list.length > 64) return false
  if (!list.every(isField)) return false
  const names = list.map(({ name }) => name)
  if (names.some((name, at) => at > 0 && name <= (names[at - 1] ?? ''))) return false
  const needed = Object.keys(NEEDED)
  return kind === 'change'
    ? needed.every((name) => name === 'audience' || !names.includes(name))
    : needed.every((name) => names.includes(name))
}
