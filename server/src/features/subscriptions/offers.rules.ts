import type { Plan, PlanOffer } from '#contract/subscriptions.ts'
import { longestMediaSeconds, megabytesOf, storageLimitBytes } from './subscriptions.rules.ts'

// Features of every plan.
const EXPORT = 'Export de vos données (JSON et ZIP)'
const CIRCLE = 'Statistiques de votre cercle'

const WITHOUT_COUNT = 'Révélations sans limite de nombre'
const FORMATS = 'Tous les formats de fichier'
const THEMES = 'Thèmes personnalisés\u202f: papiers et encres'
const OF_PRO = [
  THEMES,
  'Statistiques avancées',
  'API privée',
  'Assistance 24\u00a0h sur 24, 7\u00a0jours sur 7',
]

/** The four plans (behaviour.md 11.1). Each line is true today. */
export const PLAN_OFFERS: readonly PlanOffer[] = [
  {
    id: 'free',
    name: 'Gratuit',
    emoji: '🌱',
    price: 0,
    period: 'par mois',
    storage: storageOf('free'),
    features: [
      '5 révélations scellées à la fois\u202f: ouvertes, elles ne comptent plus',
      '500\u00a0Mo d’espace',
      'Formats de base\u202f: films, images, sons et PDF',
      lengthOf('free'),
      EXPORT,
      CIRCLE,
      'Entraide de la communauté',
    ],
    recommended: false,
  },
  {
    id: 'standard',
    name: 'Standard',
    emoji: '⭐',
    price: 2.99,
    period: 'par mois',
    storage: storageOf('standard'),
    features: [
      WITHOUT_COUNT,
      '5\u00a0Go d’espace',
      FORMATS,
      lengthOf('standard'),
      EXPORT,
      CIRCLE,
      THEMES,
      'Assistance prioritaire',
    ],
    recommended: true,
  },
  {
    id: 'pro',
    name: 'Pro',
    emoji: '🚀',
    price: 9.99,
    period: 'par mois',
    storage: storageOf('pro'),
    features: [
      WITHOUT_COUNT,
      '50\u00a0Go d’espace',
      FORMATS,
      lengthOf('pro'),
      EXPORT,
      CIRCLE,
      ...OF_PRO,
    ],
    recommended: false,
  },
  {
    id: 'unlimited',
    name: 'Illimité',
    emoji: '💎',
    price: 19.99,
    period: 'par mois',
    storage: storageOf('unlimited'),
    features: [
      WITHOUT_COUNT,
      'Espace illimité',
      FORMATS,
      lengthOf('unlimited'),
      EXPORT,
      CIRCLE,
      ...OF_PRO,
    ],
    recommended: false,
  },
]

/** Storage that may be added to any limited plan; `amount` in MB. */
export const STORAGE_OPTIONS = [
  { amount: 1024, label: '1\u00a0Go', price: 0.99 },
  { amount: 5120, label: '5\u00a0Go', price: 2.49 },
  { amount: 10_240, label: '10\u00a0Go', price: 3.99 },
] as const

function storageOf(plan: Plan): number {
  const subscription = { plan, expiresAt: null, additionalStorageMb: 0, isVerified: true }
  return megabytesOf(storageLimitBytes(subscription, new Date(0)))
}

function lengthOf(plan: Plan): string {
  return `Films et enregistrements jusqu’à ${longestMediaSeconds(plan) / 3_600}\u00a0h chacun`
}

export function offerOf(plan: Plan): PlanOffer {
  return PLAN_OFFERS.find(({ id }) => id === plan) as PlanOffer
}

export function storageOptionOf(amountMb: number) {
  return STORAGE_OPTIONS.find(({ amount }) => amount === amountMb)
}
