import { Check, Copy, Ellipsis } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { controlClass } from '#web/ui/form-field.tsx'
import { copyText } from './copy-text.ts'
import { SHARE_TARGETS, type ShareTarget } from './share-targets.ts'
import { shareLink, shareText } from './share-words.ts'

const CONFIRMED_MS = 2000
const COPIED = 'Lien copié dans le presse-papiers !'

interface ShareSheetProps {
  revelation: Revelation
  onClose: () => void
}

/** The ways to share a revelation: networks, the phone's own sheet, or the link alone. */
export function ShareSheet({ revelation, onClose }: ShareSheetProps) {
  const link = shareLink(revelation.id)
  const text = shareText(revelation)
  const field = useRef<HTMLTextAreaElement>(null)
  const [shown, setShown] = useState(link)
  const { result, copy } = useCopy(() => {
    field.current?.focus()
    field.current?.select()
  })
  const copyFor = (words: string, network?: string) => {
    setShown(words)
    void copy(words, network)
  }
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title="Partager">
      <p className="-mt-1 text-ink-soft [overflow-wrap:anywhere]">{audienceOf(revelation)}</p>
      <ul aria-label="Partager sur" className="mt-4 grid grid-cols-4 gap-1 sm:grid-cols-7">
        {SHARE_TARGETS.map((target) => (
          <li key={target.name}>
            <Target
              target={target}
              text={text}
              link={link}
              onCopy={() => copyFor(`${text} ${link}`, target.name)}
            />
          </li>
        ))}
        {'share' in navigator && (
          <li>
            <button
              type="button"
              className={targetClass}
              onClick={() => navigator.share({ title: text, text, url: link }).catch(() => {})}
            >
              <Disc>
                <Ellipsis aria-hidden="true" className="size-6" />
              </Disc>
              Autre
              <span className="sr-only"> application</span>
            </button>
          </li>
        )}
      </ul>
      <label htmlFor="lien-a-partager" className="sr-only">
        Lien à partager
      </label>
      <div className="relative mt-4">
        <textarea
          ref={field}
          id="lien-a-partager"
          readOnly
          rows={1}
          value={shown}
          onFocus={(event) => event.currentTarget.select()}
          className={classNames(
            controlClass,
            'field-sizing-content block max-h-40 resize-none pr-36 [overflow-wrap:anywhere]',
          )}
        />
        <button
          type="button"
          className="absolute top-0.5 right-0.5 inline-flex min-h-11 items-center gap-2 rounded-field bg-wax px-3.5 font-semibold text-on-wax hover:bg-wax-hover"
          onClick={() => copyFor(link)}
        >
          {result === 'copied' ? (
            <Check aria-hidden="true" className="size-5" />
          ) : (
            <Copy aria-hidden="true" className="size-5" />
          )}
          Copier le lien
        </button>
      </div>
      <p role="status" className="mt-2 min-h-6 text-sm">
        {result && <Result result={result} />}
      </p>
    </Dialog>
  )
}

type CopyResult = 'copied' | 'refused' | { network: string }

/** Copies, and says for two seconds that it did; what cannot be copied is shown selected instead. */
function useCopy(select: () => void) {
  const [result, setResult] = useState<CopyResult>()
  useEffect(() => {
    if (!result || result === 'refused') return
    const timer = setTimeout(() => setResult(undefined), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [result])
  const copy = async (words: string, network?: string) => {
    if (await copyText(words)) return setResult(network ? { network } : 'copied')
    setResult('refused')
    select()
  }
  return { result, copy }
}

function Result({ result }: { result: CopyResult }) {
  if (result === 'refused') {
    return 'La copie n’est pas permise ici : le texte est sélectionné, copiez-le vous-même.'
  }
  return (
    <span className="font-semibold text-leaf-ink">
      {COPIED}
      {typeof result === 'object' && ` Collez-le dans ${result.network}.`}
    </span>
  )
}

const targetClass =
  'flex w-full flex-col items-center gap-1.5 rounded-field px-1 py-2 text-center font-medium text-sm hover:bg-sunken'

interface TargetProps {
  target: ShareTarget
  text: string
  link: string
  onCopy: () => void
}

function Target({ target: { name, icon, page }, text, link, onCopy }: TargetProps) {
  const content = (
    <>
      <Disc>
        <svg aria-hidden="true" viewBox="0 0 24 24" className="size-6 fill-current">
          <path d={icon} />
        </svg>
      </Disc>
      {name}
    </>
  )
  if (!page) {
    return (
      <button type="button" className={targetClass} onClick={onCopy}>
        {content}
      </button>
    )
  }
  return (
    <a href={page(text, link)} target="_blank" rel="noopener noreferrer" className={targetClass}>
      {content}
    </a>
  )
}

function Disc({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex size-13 items-center justify-center rounded-full border border-line bg-ground">
      {children}
    </span>
  )
}

/** Whom the link is of use to, so that nobody is sent to a closed door. */
function audienceOf({ visibility, author_pseudo }: Revelation): string {
  switch (visibility) {
    case 'public':
      return 'Tout le monde peut ouvrir ce lien. Il ne dit rien de la lettre.'
    case 'friends':
      return `Seuls les amis et la famille de @${author_pseudo} peuvent ouvrir ce lien.`
    case 'family':
      return `Seule la famille de @${author_pseudo} peut ouvrir ce lien.`
    case 'private':
      return `Seuls @${author_pseudo} et le destinataire peuvent ouvrir ce lien.`
  }
}
