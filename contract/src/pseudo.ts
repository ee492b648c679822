import * as z from 'zod/mini'

export const PSEUDO_MIN_LENGTH = 3
export const PSEUDO_MAX_LENGTH = 20

export const pseudoSchema = z.string('Pseudo requis').check(
  z.trim(),
  z.normalize('NFC'),
  z.minLength(1, { error: 'Pseudo requis', abort: true }),
  z.minLength(PSEUDO_MIN_LENGTH, {
    error: 'Le pseudo doit contenir au moins 3 caractères',
    abort: true,
  }),
  z.maxLength(PSEUDO_MAX_LENGTH, {
    error: 'Le pseudo ne peut pas dépasser 20 caractères',
    abort: true,
  }),
  z.regex(/^[\p{L}\p{N}_.-]+$/u, {
    error: 'Le pseudo ne peut contenir que des lettres, des chiffres et _ . -',
  }),
)
