import { ArrowLeft } from 'lucide-react'
import { useNavigate } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { CreateForm } from './create-form.tsx'
import { InfoCards } from './info-cards.tsx'

export function CreatePage() {
  const navigate = useNavigate()
  const goBack = () => (window.history.length > 1 ? navigate(-1) : navigate(paths.home))
  return (
    <div className="content pt-4 sm:pt-8">
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
      <div className="mt-7 grid gap-8 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <CreateForm />
        <InfoCards />
      </div>
    </div>
  )
}
