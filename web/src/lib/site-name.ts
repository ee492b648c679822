export const SITE_NAME = 'Révélations'
