import type { PlanOffer } from '#contract/subscriptions.ts'

/** The four plans. What is promised and not there yet says so: « (bientôt) ». */
export const PLAN_OFFERS: readonly PlanOffer[] = [
  {
    id: 'free',
    name: 'Gratuit',
    emoji: '🌱',
    price: 0,
    period: 'par mois',
    features: [
      '5 révélations à la fois',
      '500\u00a0Mo d’espace',
      'Vidéos, images, sons et documents',
      'Entraide de la communauté (bientôt)',
    ],
    recommended: false,
  },
  {
    id: 'standard',
    name: 'Standard',
    emoji: '⭐',
    price: 2.99,
    period: 'par mois',
    features: [
      'Révélations sans limite de nombre',
      '5\u00a0Go d’espace',
      'Tous les formats de fichier',
      'Assistance prioritaire (bientôt)',
      'Thèmes personnalisés (bientôt)',
    ],
    recommended: true,
  },
  {
    id: 'pro',
    name: 'Pro',
    emoji: '🚀',
    price: 9.99,
    period: 'par mois',
    features: [
      'Révélations sans limite de nombre',
      '50\u00a0Go d’espace',
      'Tous les formats de fichier',
      'Statistiques avancées (bientôt)',
      'API privée (bientôt)',
      'Export de vos données (bientôt)',
      'Assistance 24\u00a0h sur 24, 7\u00a0jours sur 7 (bientôt)',
    ],
    recommended: false,
  },
  {
    id: 'unlimited',
    name: 'Illimité',
    emoji: '💎',
    price: 19.99,
    period: 'par mois',
    features: [
      'Révélations sans limite de nombre',
      'Espace illimité',
      'Tous les formats de fichier',
      'Statistiques avancées (bientôt)',
      'API privée (bientôt)',
      'Export de vos données (bientôt)',
      'Assistance 24\u00a0h sur 24, 7\u00a0jours sur 7 (bientôt)',
    ],
    recommended: false,
  },
]

/** Room that may be added to any limited plan; `amount` in MB. */
export const STORAGE_OPTIONS = [
  { amount: 1024, label: '1\u00a0Go', price: 0.99 },
  { amount: 5120, label: '5\u00a0Go', price: 2.49 },
  { amount: 10_240, label: '10\u00a0Go', price: 3.99 },
] as const
