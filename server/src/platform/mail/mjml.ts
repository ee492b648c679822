import type { MJMLJsonObject } from 'mjml-core'

type Tag = keyof typeof CHILDREN | 'mj-title' | 'mj-preview' | 'mj-style' | 'mj-raw' | Leaf
type Leaf = 'mj-text' | 'mj-button'

const CHILDREN = {
  mjml: ['mj-head', 'mj-body'],
  'mj-head': ['mj-title', 'mj-preview', 'mj-style', 'mj-raw'],
  'mj-body': ['mj-wrapper', 'mj-section'],
  'mj-wrapper': ['mj-section'],
  'mj-section': ['mj-column'],
  'mj-column': ['mj-text', 'mj-button', 'mj-raw'],
} as const

/** An element of MJML. A tree is never parsed: no value can become an element. */
export interface MjmlNode {
  readonly tagName: Tag
  readonly attributes: Readonly<Record<string, string>>
  readonly children?: readonly MjmlNode[]
  readonly content?: string
}

/** Creates an element and escapes its attributes; the content is `Markup` or other elements. */
export function mjml(
  tagName: Tag,
  attributes: Readonly<Record<string, string>>,
  inside: Markup | readonly MjmlNode[],
): MjmlNode {
  const escaped = Object.entries(attributes).map(([name, value]) => [name, markup`${value}`.html])
  return {
    tagName,
    attributes: Object.fromEntries(escaped),
    ...('html' in inside ? { content: inside.html } : { children: inside }),
  }
}

/** Renders HTML for mail programs. Throws for every warning of MJML, and reads no file. */
export async function renderMjml(root: MjmlNode): Promise<string> {
  const values: string[] = []
  const { before, slots } = await compileOnce(cutOut(root, values))
  return slots.reduce((html, { index, after }) => html + values[index] + after, before)
}

/** What MJML makes of a mail without its words and links. It only copies those: all mails of one shape share this. */
interface CompiledShape {
  before: string
  /** Which value follows, and what stands between it and the next. */
  slots: readonly { index: number; after: string }[]
}

const SLOT = /\uE000(\d+)\uE001/
/** More than the kinds of mail; what leaves as one has a shape for each number of mails. Each takes some 50 kB. */
const MAX_SHAPES = 200
const shapes = new Map<string, Promise<CompiledShape>>()

/** The same tree with a slot instead of each text and link, which are added to `values`. */
function cutOut(node: MjmlNode, values: string[]): MjmlNode {
  // MJML leaves out the element of an empty text.
  const slotFor = (value: string) => value && `\uE000${values.push(value) - 1}\uE001`
  const { tagName, attributes, children, content } = node
  const { href } = attributes
  const isStatic = tagName === 'mj-style' || tagName === 'mj-raw'
  return {
    tagName,
    attributes: href === undefined ? attributes : { ...attributes, href: slotFor(href) },
    ...(children && { children: children.map((child) => cutOut(child, values)) }),
    ...(content !== undefined && { content: isStatic ? content : slotFor(content.trim()) }),
  }
}

function compileOnce(shape: MjmlNode): Promise<CompiledShape> {
  const key = JSON.stringify(shape)
  const known = shapes.get(key)
  if (known) return known
  if (shapes.size >= MAX_SHAPES) shapes.clear()
  const compiling = compileShape(shape)
  compiling.catch(() => shapes.delete(key))
  shapes.set(key, compiling)
  return compiling
}

async function compileShape(shape: MjmlNode): Promise<CompiledShape> {
  const { compile, components } = await loadMjml()
  const options = {
    presets: [{ components, dependencies: CHILDREN }],
    validationLevel: 'strict' as const,
    ignoreIncludes: true,
    // A mail loads nothing when it is read, fonts included.
    fonts: {},
  }
  const { html } = await compile(shape as MJMLJsonObject, options)
  const [before = '', ...rest] = html
    // The preview is hidden, in a white that filters of junk mail take for a trick on this ground.
    .replace('font-size:1px;color:#ffffff;', 'font-size:1px;color:#2B2336;')
    .replace(/\n\s+/g, '\n')
    .split(SLOT)
  const slots = []
  for (let at = 0; at < rest.length; at += 2) {
    slots.push({ index: Number(rest[at]), after: rest[at + 1] ?? '' })
  }
  return { before, slots }
}

let loaded: ReturnType<typeof importMjml> | undefined

// Lazy: it costs half a second and 80 MB, which a program that sends no mail does not need.
function loadMjml() {
  loaded ??= importMjml()
  return loaded
}

async function importMjml() {
  const [{ default: core }, ...parts] = await Promise.all([
    import('mjml-core'),
    import('mjml-body'),
    import('mjml-button'),
    import('mjml-column'),
    import('mjml-head'),
    import('mjml-head-preview'),
    import('mjml-head-style'),
    import('mjml-head-title'),
    import('mjml-raw'),
    import('mjml-section'),
    import('mjml-text'),
    import('mjml-wrapper'),
  ])
  return { compile: exportOf(core), components: parts.map((part) => exportOf(part.default)) }
}

/** These packages are CommonJS: their default export is one level deeper. */
function exportOf<T>(module: T | { default: T }): T {
  return typeof module === 'object' && module !== null && 'default' in module
    ? module.default
    : (module as T)
}

declare const brand: unique symbol

/** Safe HTML from `markup`, which escapes every value that is not `Markup` itself. */
export type Markup = { readonly html: string; readonly [brand]: 'Markup' }

type Value = string | Markup | readonly Markup[]

export function markup(parts: TemplateStringsArray, ...values: Value[]): Markup {
  const html = parts.reduce(
    (before, part, index) => before + toHtml(values[index - 1] ?? '') + part,
  )
  return { html } as Markup
}

function toHtml(value: Value): string {
  if (typeof value === 'string') return escapeText(value)
  return 'html' in value ? value.html : value.map(({ html }) => html).join('')
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
