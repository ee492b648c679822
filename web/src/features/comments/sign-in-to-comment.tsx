import { SignInLink } from '#web/features/auth/auth-links.tsx'

/** In the place of the form, for a visitor. */
export function SignInToComment() {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-field bg-sunken px-4 py-3">
      <p>Vous devez être connecté pour commenter</p>
      <SignInLink />
    </div>
  )
}
