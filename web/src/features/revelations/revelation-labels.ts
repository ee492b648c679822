import {
  Bell,
  Briefcase,
  Clapperboard,
  Clock,
  FileText,
  Film,
  Gift,
  Globe,
  Heart,
  House,
  Image,
  KeyRound,
  Lock,
  type LucideIcon,
  MessageCircle,
  Mic,
  Plane,
  Rocket,
  Scale,
  User,
  Users,
} from 'lucide-react'
import type { Kind } from '#contract/kinds.ts'
import type {
  Category,
  FileType,
  Ink,
  Paper,
  Revelation,
  Stationery,
  Visibility,
} from '#contract/revelations.ts'

interface Words {
  label: string
  icon: LucideIcon
}

export const CATEGORY_LABELS: Record<Category, Words> = {
  general: { label: 'Général', icon: MessageCircle },
  love: { label: 'Amour', icon: Heart },
  family: { label: 'Famille', icon: House },
  personal: { label: 'Personnel', icon: User },
  work: { label: 'Travail', icon: Briefcase },
  entertainment: { label: 'Divertissement', icon: Clapperboard },
  secrets: { label: 'Secrets', icon: KeyRound },
  surprises: { label: 'Surprises', icon: Gift },
  projects: { label: 'Projets', icon: Rocket },
  travel: { label: 'Voyage', icon: Plane },
}

/** With icons that these pages have already: a visitor’s are light. */
export const KIND_LABELS: Record<Exclude<Kind, 'letter'>, Words> = {
  prediction: { label: 'Prédiction', icon: Scale },
  capsule: { label: 'Capsule', icon: Clock },
  announcement: { label: 'Annonce', icon: Bell },
}

export const VISIBILITY_LABELS: Record<Visibility, Words> = {
  public: { label: 'Public', icon: Globe },
  friends: { label: 'Amis', icon: Users },
  family: { label: 'Cercle Privé', icon: House },
  private: { label: 'Personnel', icon: Lock },
}

export const PAPER_LABELS: Record<Paper, { label: string; hint: string }> = {
  wove: { label: 'Vélin', hint: 'Lisse et clair' },
  laid: { label: 'Vergé', hint: 'Aux fines lignes' },
  kraft: { label: 'Kraft', hint: 'Brun et chaud' },
}

export const INK_LABELS: Record<Ink, string> = { black: 'Noire', blue: 'Bleue' }

/** « Papier vergé, encre bleue ». */
export function stationeryInWords({ paper, ink }: Stationery): string {
  return `Papier ${PAPER_LABELS[paper].label.toLowerCase()}, encre ${INK_LABELS[ink].toLowerCase()}`
}

/** What it is, who sees it and what it is about; said once where two have one name, and nothing of a plain letter. */
export function tagsOf({
  kind,
  visibility,
  category,
}: Pick<Revelation, 'visibility' | 'category'> & { kind: Kind | null }): Words[] {
  const [audience, subject] = [VISIBILITY_LABELS[visibility], CATEGORY_LABELS[category]]
  const what = kind === null || kind === 'letter' ? [] : [KIND_LABELS[kind]]
  return [...what, audience, ...(audience.label === subject.label ? [] : [subject])]
}

export const FILE_LABELS: Record<FileType, Words> = {
  video: { label: 'Une vidéo', icon: Film },
  image: { label: 'Une image', icon: Image },
  audio: { label: 'Un enregistrement', icon: Mic },
  document: { label: 'Un document', icon: FileText },
}
