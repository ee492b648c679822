import type { Kind } from '#contract/kinds.ts'

/* What « M’aider à écrire » asks: three questions for a kind of letter and an occasion. Plain data. */

export const OCCASIONS = [
  'plain',
  'birth',
  'birthday',
  'wedding',
  'leaving',
  'newYear',
  'mourning',
  'thanks',
] as const
export type Occasion = (typeof OCCASIONS)[number]

export const OCCASION_LABELS: Record<Occasion, string> = {
  plain: 'Juste comme ça',
  birth: 'Une naissance',
  birthday: 'Un anniversaire',
  wedding: 'Un mariage',
  leaving: 'Un départ',
  newYear: 'La nouvelle année',
  mourning: 'Un deuil',
  thanks: 'Un merci',
}

type Questions = readonly [string, string, string]

const QUESTIONS: Record<Kind, { plain: Questions } & Partial<Record<Occasion, Questions>>> = {
  letter: {
    plain: [
      'Qu’avez-vous envie de lui dire depuis longtemps\u202F?',
      'Quel moment passé ensemble vous revient le plus souvent\u202F?',
      'Que lui souhaitez-vous le jour où cette lettre s’ouvrira\u202F?',
    ],
    birth: [
      'Comment était le jour de son arrivée\u202F?',
      'Que voyez-vous déjà de son caractère\u202F?',
      'Qu’aimeriez-vous lui avoir dit avant ses dix-huit ans\u202F?',
    ],
    birthday: [
      'Qu’est-ce qui a changé depuis l’année dernière\u202F?',
      'Qu’admirez-vous chez cette personne\u202F?',
      'De quoi voudriez-vous vous souvenir ensemble dans un an\u202F?',
    ],
    wedding: [
      'Comment avez-vous su qu’ils étaient faits pour vivre ensemble\u202F?',
      'Quel conseil reçu vous a vraiment servi\u202F?',
      'Que leur souhaitez-vous dans dix ans\u202F?',
    ],
    leaving: [
      'Qu’est-ce qui va vous manquer\u202F?',
      'Que faudrait-il emporter de vous\u202F?',
      'Que direz-vous le jour du retour\u202F?',
    ],
    newYear: [
      'Quel bonheur cette année vous a-t-elle donné\u202F?',
      'De quoi avez-vous de la fierté, sans l’avoir dit\u202F?',
      'Qu’espérez-vous pour cette personne dans l’année qui vient\u202F?',
    ],
    mourning: [
      'Que voudriez-vous que l’on se rappelle de la personne partie\u202F?',
      'Quelle phrase d’elle entendez-vous encore\u202F?',
      'Qu’est-ce qui aide, les jours difficiles\u202F?',
    ],
    thanks: [
      'Pour quoi, précisément, voulez-vous dire merci\u202F?',
      'Qu’est-ce que cela a changé pour vous\u202F?',
      'Que feriez-vous à votre tour pour cette personne\u202F?',
    ],
  },
  prediction: {
    plain: [
      'Que va-t-il arriver, et avant quelle date\u202F?',
      'Pourquoi le pensez-vous\u202F?',
      'À quoi verra-t-on que vous aviez raison, ou tort\u202F?',
    ],
  },
  capsule: {
    plain: [
      'Où êtes-vous, et à quoi ressemble une journée\u202F?',
      'Qu’est-ce qui vous inquiète aujourd’hui\u202F?',
      'Que demanderiez-vous à la personne que vous serez\u202F?',
    ],
    newYear: [
      'Que gardez-vous de l’année qui finit\u202F?',
      'Que voulez-vous arrêter\u202F?',
      'À quoi saurez-vous que l’année était bonne\u202F?',
    ],
  },
  announcement: {
    plain: [
      'Quelle est la nouvelle, en une phrase\u202F?',
      'Depuis quand la gardez-vous pour vous\u202F?',
      'Qui voulez-vous remercier\u202F?',
    ],
    birth: [
      'Qui est là, et quel est son prénom\u202F?',
      'Comment vont les parents\u202F?',
      'Quand peut-on venir\u202F?',
    ],
    wedding: [
      'Qui se marie, quand et où\u202F?',
      'Comment est-ce arrivé\u202F?',
      'Que doivent savoir celles et ceux qui viennent\u202F?',
    ],
    leaving: [
      'Qui part, et vers où\u202F?',
      'Pourquoi maintenant\u202F?',
      'Comment rester en contact\u202F?',
    ],
  },
}

/** The three questions of that kind and occasion; those of any occasion where it has none of its own. */
export function questionsFor(kind: Kind, occasion: Occasion): Questions {
  return QUESTIONS[kind][occasion] ?? QUESTIONS[kind].plain
}

/** The occasions that have questions of their own, after any. */
export function occasionsOf(kind: Kind): Occasion[] {
  return OCCASIONS.filter((occasion) => QUESTIONS[kind][occasion] !== undefined)
}

/** What was answered so far; it stays while the page does. */
export interface HelpAnswers {
  occasion: Occasion | undefined
  /** By question. */
  written: Readonly<Record<string, string>>
  /** The question that was answered aloud. */
  spoken: string | undefined
}

export const NO_ANSWERS: HelpAnswers = { occasion: undefined, written: {}, spoken: undefined }
