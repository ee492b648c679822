import type { StepName, StepState } from './verify-proof.ts'

interface Words {
  title: string
  passed: string
  failed: string
  later: string
}

/** What each step checks and what it found, for the page and for the file that works without it. */
const WORDS: Readonly<Record<StepName, Words>> = {
  format: {
    title: 'La preuve',
    passed: 'La preuve est complète et lisible.',
    failed:
      'Cette preuve est illisible, incomplète ou écrite autrement que ce format ne le prévoit.',
    later: 'La preuve n’a pas été lue.',
  },
  letter: {
    title: 'Le titre, le texte et la date',
    passed: 'Le titre, le texte, la date et le sel redonnent exactement l’empreinte scellée.',
    failed:
      'Le titre, le texte, la date ou le sel ne redonnent pas l’empreinte scellée\u202F: quelque chose a changé depuis.',
    later:
      'La lettre est encore scellée\u202F: elle sera comparée à son empreinte dès qu’elle sera dévoilée.',
  },
  file: {
    title: 'Le fichier',
    passed: 'Le fichier est, octet pour octet, celui qui a été scellé.',
    failed: 'Ce fichier n’est pas celui qui a été scellé.',
    later: 'Le fichier n’a pas été vérifié.',
  },
  versions: {
    title: 'L’historique',
    passed: 'Les versions se suivent, de la création à la dernière, dans l’ordre de leurs dates.',
    failed: 'Les versions ne se suivent pas\u202F: il en manque une, ou leur ordre a changé.',
    later: 'L’historique n’a pas été lu.',
  },
  checkpoint: {
    title: 'Le point de contrôle',
    passed: 'Le point de contrôle porte la signature du journal.',
    failed: 'La signature du point de contrôle n’est pas celle du journal.',
    later:
      'Le journal n’a pas encore signé de point de contrôle\u202F: c’est l’affaire d’une minute.',
  },
  inclusion: {
    title: 'L’inscription au journal',
    passed: 'Chaque version est inscrite au journal, à la place et à la date indiquées.',
    failed:
      'Une version n’est pas inscrite au journal à la place, à la date ou avec l’empreinte indiquées.',
    later: 'La dernière version sera inscrite au journal dans la minute.',
  },
  continuity: {
    title: 'La mémoire du journal',
    passed:
      'Le journal contient toujours, inchangé, tout ce que contenait le point de contrôle déjà rencontré.',
    failed:
      'Ce point de contrôle et celui déjà rencontré ne peuvent pas appartenir au même journal\u202F: son passé a été réécrit.',
    later:
      'Ce qui relie ce point de contrôle à celui déjà rencontré n’a pas pu être demandé au journal.',
  },
}

export function titleOf(name: StepName): string {
  return WORDS[name].title
}

export function sentenceOf({ name, state }: { name: StepName; state: StepState }): string {
  return WORDS[name][state]
}

/** The sentence over all steps; it promises no more than was computed. */
export const VERDICTS: Readonly<Record<StepState, string>> = {
  passed: 'Tout concorde\u202F: ce que vous lisez est ce qui a été scellé.',
  later: 'Tout ce qui peut être vérifié maintenant concorde.',
  failed: 'Quelque chose ne concorde pas.',
}
