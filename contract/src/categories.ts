export const CATEGORIES = [
  'general',
  'love',
  'family',
  'personal',
  'work',
  'entertainment',
  'secrets',
  'surprises',
  'projects',
  'travel',
] as const
export type Category = (typeof CATEGORIES)[number]
