import type { ReactNode } from 'react'
import { licenceEmail } from '#web/app/contact.ts'
import { paths } from '#web/app/paths.ts'
import type { PageFirstScreen } from '#web/lib/first-screen.ts'
import { SITE_NAME } from '#web/lib/site-name.ts'
import { PageHeading } from '#web/ui/page-heading.tsx'

export const firstScreen: PageFirstScreen = { head: () => ({ canonical: paths.legal }) }

export function LegalPage() {
  return (
    <article className="content max-w-reading pt-10 sm:pt-14">
      <PageHeading documentTitle="Mentions légales">Mentions légales complètes</PageHeading>
      <p className="mt-4 text-ink-soft text-lg">
        Ce qui appartient à qui, ce qui est interdit, et à qui écrire.
      </p>
      <Part title="Propriété">
        Le nom {SITE_NAME}, le programme, les textes et les dessins du site appartiennent à leur
        auteur, établi en Belgique. Ce que vous écrivez et les fichiers que vous confiez restent les
        vôtres&nbsp;: le site les garde et les montre aux personnes que vous avez choisies, à la
        date que vous avez choisie, et n’en fait rien d’autre.
      </Part>
      <Part title="Droit d’auteur">
        Le site est une œuvre protégée par le droit d’auteur (livre XI du Code de droit économique
        belge). Ne publiez que ce dont vous êtes l’auteur ou que vous avez le droit de publier.
      </Part>
      <Part title="Interdictions">
        Il est interdit de copier ou de revendre le site sans accord écrit, d’en contourner les
        protections, de tenter d’ouvrir une révélation avant sa date, d’y déposer des contenus
        illicites, haineux ou qui portent atteinte à autrui, et de s’en servir pour écrire à des
        personnes qui ne le souhaitent pas.
      </Part>
      <Part title="Surveillance">
        Les accès au site sont consignés pour sa sécurité et pour repérer les abus. Les contenus
        scellés sont conservés chiffrés et ne sont pas lus. Un contenu dévoilé et signalé est
        examiné.
      </Part>
      <Part title="Sanctions">
        Un contenu interdit est retiré et le compte qui l’a publié peut être fermé. Une atteinte aux
        droits d’auteur ou une intrusion peut donner lieu à des poursuites devant les tribunaux
        belges.
      </Part>
      <Part title="Contact">
        Pour une licence, un signalement ou toute question&nbsp;:{' '}
        <a
          href={`mailto:${licenceEmail()}`}
          className="font-semibold text-wax-ink underline underline-offset-4"
        >
          {licenceEmail()}
        </a>
      </Part>
    </article>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-8">
      <h2 className="text-2xl">{title}</h2>
      <p className="mt-2 leading-relaxed">{children}</p>
    </section>
  )
}
