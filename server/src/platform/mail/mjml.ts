import type { MJMLJsonObject } from 'mjml-core'
import { type Markup, markup } from './markup.ts'

type Tag = keyof typeof MAY_HOLD | 'mj-title' | 'mj-preview' | 'mj-style' | 'mj-raw' | Leaf
type Leaf = 'mj-text' | 'mj-button'

const MAY_HOLD = {
  mjml: ['mj-head', 'mj-body'],
  'mj-head': ['mj-title', 'mj-preview', 'mj-style', 'mj-raw'],
  'mj-body': ['mj-wrapper', 'mj-section'],
  'mj-wrapper': ['mj-section'],
  'mj-section': ['mj-column'],
  'mj-column': ['mj-text', 'mj-button', 'mj-raw'],
} as const

/** An element of MJML. As a tree, and not as text: nothing of it is parsed, so that no value can become an element. */
export interface MjmlNode {
  readonly tagName: Tag
  readonly attributes: Readonly<Record<string, string>>
  readonly children?: readonly MjmlNode[]
  readonly content?: string
}

/** Attributes are escaped here; what stands between the tags is `Markup`, or other elements. */
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

/** The HTML that mail programs understand. It throws where MJML has a word to say, and reads no file. */
export async function renderMjml(root: MjmlNode): Promise<string> {
  const { compile, components } = await loadMjml()
  const options = {
    presets: [{ components, dependencies: MAY_HOLD }],
    validationLevel: 'strict' as const,
    ignoreIncludes: true,
    // Nothing is fetched when a mail is read, fonts included.
    fonts: {},
  }
  const { html } = await compile(root as MJMLJsonObject, options)
  return html.replace(/\n\s+/g, '\n')
}

let loaded: ReturnType<typeof importMjml> | undefined

// Half a second and 80 MB: a program that sends no mail does without.
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

/** These packages are CommonJS: what they export by default stands one level deeper. */
function exportOf<T>(module: T | { default: T }): T {
  return typeof module === 'object' && module !== null && 'default' in module
    ? module.default
    : (module as T)
}
