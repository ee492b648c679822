import * as z from 'zod/mini'

/** Every error a client can receive: its status and the sentence a person reads. */
export const ERRORS = {
  invalid_input: { status: 400, message: 'Certaines informations ne sont pas valides' },
  invalid_credentials: { status: 400, message: 'E-mail ou mot de passe incorrect' },
  wrong_password: { status: 400, message: 'Le mot de passe actuel est incorrect' },
  link_expired: {
    status: 400,
    message: 'Ce lien n’est plus valable. Demandez-en un nouveau.',
  },
  invalid_file: { status: 400, message: 'Fichier invalide' },
  unknown_push_service: {
    status: 400,
    message: 'Ce navigateur reçoit ses notifications par un service que Révélations ne connaît pas',
  },
  unauthenticated: { status: 401, message: 'Votre session a expiré. Veuillez vous reconnecter.' },
  forbidden: { status: 403, message: 'Cela ne vous est pas permis' },
  not_author: {
    status: 403,
    message: "Vous n'êtes pas autorisé à modifier cette révélation",
  },
  not_comment_author: {
    status: 403,
    message: 'Vous ne pouvez supprimer que vos propres commentaires',
  },
  plan_limit: {
    status: 403,
    message:
      'Votre plan gratuit permet 5 révélations scellées à la fois. Attendez qu’une s’ouvre, supprimez-en une ou passez à un plan supérieur.',
  },
  session_required: {
    status: 403,
    message: 'Un jeton d’accès ne permet pas cela\u202F: connectez-vous sur le site.',
  },
  scope_missing: {
    status: 403,
    message: 'Ce jeton permet de lire, pas d’écrire. Créez-en un autre qui le permet.',
  },
  feature_of_plan: {
    status: 403,
    message: 'Votre plan ne comprend pas cela. Passez à un plan supérieur.',
  },
  plans_granted: {
    status: 403,
    message:
      'Sur ce site, les plans ne s’achètent pas\u202F: c’est la personne qui le gère qui les accorde. Écrivez-lui pour en changer.',
  },
  ticket_expired: { status: 403, message: 'Ce lien vers le fichier a expiré. Rechargez la page.' },
  link_revoked: {
    status: 403,
    message: 'Ce lien personnel a été désactivé par l’auteur de la révélation',
  },
  sound_locked: {
    status: 403,
    message: 'Ce message vocal est scellé\u202F: personne ne peut l’écouter avant sa date',
  },
  not_sound_author: {
    status: 403,
    message: 'Vous ne pouvez supprimer que vos propres messages vocaux',
  },
  under_review: {
    status: 403,
    message:
      'Cette révélation est masquée par l’équipe de Révélations\u202F: elle ne peut pas être modifiée',
  },
  own_prediction: {
    status: 403,
    message: 'On ne vote pas pour sa propre prédiction\u202F: déclarez plutôt son issue',
  },
  replies_blocked: {
    status: 403,
    message:
      'Cette personne ne reçoit plus de réponses de votre part. Sa lettre, elle, reste à vous.',
  },
  not_found: { status: 404, message: 'Introuvable' },
  email_taken: { status: 409, message: 'Un compte existe déjà avec cet e-mail' },
  pseudo_taken: { status: 409, message: 'Ce pseudo est déjà pris' },
  still_sealed: {
    status: 409,
    message: 'Cette lettre est encore scellée\u202F: elle s’ouvrira à sa date',
  },
  receipt_pending: {
    status: 409,
    message:
      'Le reçu arrive dans la minute\u202F: cette lettre n’est pas encore inscrite au journal',
  },
  revelation_revealed: {
    status: 409,
    message: 'Une révélation dévoilée ne peut plus être modifiée',
  },
  not_a_prediction: {
    status: 409,
    message: 'Seule une prédiction publique et dévoilée a une issue et des votes',
  },
  visibility_widened: {
    status: 409,
    message: 'Une révélation dévoilée ne peut plus être montrée à davantage de personnes',
  },
  too_many_versions: {
    status: 409,
    message:
      'Cette révélation a déjà été modifiée près de mille fois\u202F: son texte, son titre, sa date et son audience ne changeront plus',
  },
  already_delivered: {
    status: 409,
    message: 'Cette lettre a déjà été remise à cette adresse',
  },
  not_delivered: { status: 409, message: 'Cette lettre n’a pas encore été envoyée' },
  too_many_tokens: {
    status: 409,
    message: 'Vous avez déjà vingt jetons. Révoquez-en un avant d’en créer un autre.',
  },
  calendar_full: {
    status: 409,
    message:
      'Votre calendrier contient déjà 2\u00A0000 événements. Supprimez-en un avant d’en ajouter un autre.',
  },
  mails_stopped: {
    status: 409,
    message:
      'Cette adresse a demandé à ne plus recevoir nos e-mails. Pour les recevoir à nouveau, ouvrez «\u202FNe plus recevoir ces e-mails\u202F» au bas de l’un d’eux.',
  },
  step_not_failed: {
    status: 409,
    message: 'Cette préparation n’a pas échoué\u202F: il n’y a rien à recommencer',
  },
  plan_current: { status: 409, message: 'Ce plan est déjà le vôtre' },
  storage_unlimited: {
    status: 409,
    message: 'Votre plan n’a pas de limite d’espace\u202F: il n’y a rien à ajouter',
  },
  storage_maximum: {
    status: 409,
    message:
      'L’espace ajouté ne peut pas dépasser 1 To. Choisissez une quantité plus petite ou le plan Illimité.',
  },
  upload_incomplete: {
    status: 409,
    message: 'Ce fichier n’est pas encore entièrement arrivé. Reprenez l’envoi.',
  },
  upload_moved_on: {
    status: 409,
    message: 'Cet envoi a continué ailleurs. Reprenez-le là où il en est.',
  },
  too_many_uploads: {
    status: 409,
    message: 'Vous avez déjà dix envois en attente. Terminez ou abandonnez-en un.',
  },
  in_progress: {
    status: 409,
    message: 'Cet envoi est déjà en cours. Réessayez dans un instant.',
  },
  already_answered: { status: 409, message: 'Vous avez déjà répondu à ce mot' },
  already_asked: { status: 409, message: 'Une demande attend déjà une réponse' },
  already_related: { status: 409, message: 'Vous êtes déjà en relation avec cette personne' },
  unverified_sender: {
    status: 409,
    message:
      'L’adresse de cette personne n’est pas vérifiée\u202F: rien ne dit qui elle est. Confirmez pour lui ouvrir vos lettres «\u202Ffamille\u202F», votre cercle privé et ses messages vocaux.',
  },
  unsupported_version: {
    status: 412,
    message: 'Cette version de l’application n’est plus à jour. Rechargez la page.',
  },
  body_too_large: { status: 413, message: 'Cet envoi est trop volumineux' },
  file_too_large: {
    status: 413,
    message: 'Le fichier est trop volumineux. Taille maximum: 600MB',
  },
  quota_exceeded: {
    status: 413,
    message: 'Ce fichier dépasse l’espace qui vous reste. Supprimez un fichier ou changez de plan.',
  },
  media_too_long: {
    status: 413,
    message: 'Ce fichier dure trop longtemps pour votre plan. Raccourcissez-le ou changez de plan.',
  },
  address_unverified: {
    status: 413,
    message:
      'Tant que votre adresse e-mail n’est pas vérifiée, vous pouvez garder 100\u00A0Mo de fichiers. Ouvrez le lien de vérification reçu par e-mail, ou demandez-en un nouveau depuis votre profil.',
  },
  idempotency_mismatch: {
    status: 422,
    message: 'Cette clé a déjà servi pour un autre envoi. Choisissez-en une nouvelle.',
  },
  upload_altered: {
    status: 460,
    message: 'Une partie du fichier est arrivée abîmée. Elle est renvoyée.',
  },
  sound_too_large: { status: 413, message: 'Fichier trop volumineux (max 50MB)' },
  not_a_sound: { status: 415, message: 'Seuls les fichiers audio sont autorisés' },
  unsupported_type: { status: 415, message: 'Type de fichier non autorisé' },
  range_not_satisfiable: { status: 416, message: 'Cette partie du fichier n’existe pas' },
  replies_per_day: {
    status: 429,
    message: 'Vous avez déjà répondu cinq fois aujourd’hui à cette lettre. Revenez demain.',
  },
  too_many_addressees: {
    status: 429,
    message: 'Vous avez écrit à trop d’adresses différentes aujourd’hui. Réessayez demain.',
  },
  too_many_requests: {
    status: 429,
    message: 'Trop de demandes. Patientez un instant avant de réessayer.',
  },
  unexpected: {
    status: 500,
    message: 'Une erreur inattendue est survenue. Réessayez dans un instant.',
  },
  unavailable: {
    status: 503,
    message: 'Le site est indisponible pour un instant. Réessayez dans quelques secondes.',
  },
  stopping: { status: 503, message: 'Le service s’arrête. Réessayez dans un instant.' },
  search_too_slow: {
    status: 503,
    message:
      'Cette recherche prend trop de temps. Précisez-la avec un mot plus long, ou réessayez dans un instant.',
  },
  not_ready: { status: 503, message: 'Le service démarre. Réessayez dans un instant.' },
  busy: {
    status: 503,
    message: 'Beaucoup de personnes se connectent en ce moment. Réessayez dans quelques secondes.',
  },
  disk_full: {
    status: 507,
    message:
      'Le site manque de place en ce moment et ne peut rien garder de nouveau. Réessayez plus tard.',
  },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof ERRORS

export const errorSchema = z.object({
  error: z.string(),
  code: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
  /** Of `idempotency_mismatch`: what the first call with this key made. */
  id: z.optional(z.string()),
})
export type ErrorBody = z.infer<typeof errorSchema>
