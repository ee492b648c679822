import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { NobodyHere } from './nobody-here.tsx'

export function SignInFirst() {
  const location = useLocation()
  return (
    <Failure
      title="Connexion requise"
      action={
        <ButtonLink to={paths.login} state={{ from: location }}>
          Se connecter
        </ButtonLink>
      }
    >
      Votre profil vous attend de l’autre côté.
    </Failure>
  )
}

export function MissingPerson() {
  return (
    <Failure title="Profil non trouvé" action={<BackHome />}>
      Cette personne n’est pas ici, ou n’y est plus.
    </Failure>
  )
}

interface ProfileErrorProps {
  /** What went wrong. */
  children: string
  action?: ReactNode
}

export function ProfileError({ children, action }: ProfileErrorProps) {
  return (
    <Failure
      title="Erreur"
      action={
        <>
          {action}
          <BackHome />
        </>
      }
    >
      <span role="alert">{children}</span>
    </Failure>
  )
}

function BackHome() {
  return <ButtonLink to={paths.home}>Retour à l'accueil</ButtonLink>
}

interface FailureProps {
  title: string
  children: ReactNode
  action: ReactNode
}

function Failure({ title, children, action }: FailureProps) {
  return (
    <div className="content flex min-h-[70dvh] flex-col items-center justify-center gap-4 py-12 text-center">
      <NobodyHere />
      <PageHeading>{title}</PageHeading>
      <p className="max-w-md text-ink-soft">{children}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">{action}</div>
    </div>
  )
}
