import { ArrowLeft, Film, HardDrive, LockKeyhole, type LucideIcon } from 'lucide-react'
import { useNavigate } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { CreateForm } from './create-form.tsx'

export function CreatePage() {
  const navigate = useNavigate()
  const goBack = () => (window.history.length > 1 ? navigate(-1) : navigate(paths.home))
  return (
    <div className="container-page pt-4 sm:pt-8">
      <Button
        variant="ghost"
        className="-ml-4"
        icon={<ArrowLeft aria-hidden="true" className="size-5" />}
        onClick={goBack}
      >
        Retour
      </Button>
      <PageHeading documentTitle="Créer une révélation" className="mt-2">
        Créer une prédiction ou programmer une livraison
      </PageHeading>
      <p className="mt-3 max-w-reading text-ink-soft text-lg">
        Écrivez, joignez ce que vous voulez, choisissez le jour. Puis posez le sceau.
      </p>
      <div className="mt-7 grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <CreateForm />
        <InfoCards />
      </div>
    </div>
  )
}

function InfoCards() {
  return (
    <aside
      aria-label="Ce qu’il advient de votre lettre"
      className="lg:sticky lg:top-24 lg:self-start"
    >
      <ul className="grid gap-4 sm:grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] lg:grid-cols-1">
        <InfoCard icon={LockKeyhole} title="Scellée jusqu’à la date">
          Avant la date choisie, personne d’autre que vous ne peut ouvrir le contenu sur le site.
        </InfoCard>
        <InfoCard icon={Film} title="Une vidéo, et son extrait">
          Choisissez de 1 à 30&nbsp;secondes à montrer avant la date. L’extrait est un fichier à
          part, rien d’autre de la vidéo n’y figure.
        </InfoCard>
        <InfoCard icon={HardDrive} title="Gardée chiffrée">
          Le contenu et le fichier sont conservés chiffrés&#8239;; la clé est gardée à part de la
          base et des sauvegardes. Jusqu’à 600&nbsp;Mo par fichier.
        </InfoCard>
      </ul>
    </aside>
  )
}

interface InfoCardProps {
  icon: LucideIcon
  title: string
  children: string
}

function InfoCard({ icon: Icon, title, children }: InfoCardProps) {
  return (
    <li className="theme-night bg-night-card rounded-card border border-line p-4 text-ink">
      <h2 className="flex items-center gap-2.5 text-lg">
        <Icon aria-hidden="true" className="size-5 shrink-0 text-ember" />
        {title}
      </h2>
      <p className="mt-1.5 text-ink-soft text-sm">{children}</p>
    </li>
  )
}
