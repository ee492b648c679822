import { Link } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { licenceEmail, SITE_NAME } from '#web/lib/site.ts'
import { LegalArticle, Part } from './legal-article.tsx'
import { OperatorLines } from './operator-lines.tsx'

const linkClass = 'font-semibold text-wax-ink underline underline-offset-4'

export function LegalPage() {
  return (
    <LegalArticle
      title="Mentions légales complètes"
      documentTitle="Mentions légales"
      summary="Qui tient ce site, ce qui appartient à qui, ce qui est interdit, et à qui écrire."
      updated={{ iso: '2026-11-22', day: '22 novembre 2026' }}
    >
      <Part title="Qui tient ce site">
        <OperatorLines />
        <p>
          L’exploitant est responsable de la publication du site et des données qu’il garde (voir{' '}
          <Link to={paths.privacy} className={linkClass}>
            Confidentialité
          </Link>
          )&#8239;; chaque personne l’est de ce qu’elle y publie.
        </p>
      </Part>
      <Part title="Propriété">
        <p>
          Le nom {SITE_NAME}, le programme, les textes et les dessins du site appartiennent à leur
          auteur, établi en Belgique. Ce que vous écrivez et les fichiers que vous confiez restent
          les vôtres&#8239;: le site les garde et les montre aux personnes que vous avez choisies, à
          la date que vous avez choisie, et n’en fait rien d’autre.
        </p>
      </Part>
      <Part title="Droit d’auteur">
        <p>
          Le site est une œuvre protégée par le droit d’auteur (livre XI du Code de droit économique
          belge). Ne publiez que ce dont vous êtes l’auteur ou que vous avez le droit de publier.
        </p>
      </Part>
      <Part title="Interdictions">
        <p>
          Il est interdit de copier ou de revendre le site sans accord écrit, d’en contourner les
          protections, de tenter d’ouvrir une révélation avant sa date, d’y déposer des contenus
          illicites, haineux ou qui portent atteinte à autrui, et de s’en servir pour écrire à des
          personnes qui ne le souhaitent pas.
        </p>
      </Part>
      <Part title="Surveillance">
        <p>
          Le fonctionnement du site est consigné pour sa sécurité et pour repérer les abus, sans
          adresse IP ni contenu. Ce qui est signalé est examiné. L’exploitant n’ouvre une révélation
          scellée que si la loi ou la protection d’une personne l’exige&#8239;; chaque ouverture est
          consignée avec sa raison.
        </p>
      </Part>
      <Part title="Sanctions">
        <p>
          Un contenu interdit est masqué ou retiré, et le compte qui l’a publié peut être fermé. Son
          auteur en reçoit la raison et peut y répondre. Une atteinte aux droits d’auteur ou une
          intrusion peut donner lieu à des poursuites devant les tribunaux belges.
        </p>
      </Part>
      <Part title="Contact">
        <p>
          Pour une licence, un signalement ou toute question&#8239;:{' '}
          <a href={`mailto:${licenceEmail()}`} className={linkClass}>
            {licenceEmail()}
          </a>
          . Chaque révélation, commentaire et profil se signale aussi sur place, par son drapeau.
        </p>
      </Part>
    </LegalArticle>
  )
}
