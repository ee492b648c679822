import { Link } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { LegalArticle, Part, Points } from './legal-article.tsx'
import { ContactLink } from './operator-lines.tsx'

const linkClass = 'font-semibold text-wax-ink underline underline-offset-4'

export function TermsPage() {
  return (
    <LegalArticle
      title="Conditions d’utilisation"
      documentTitle="Conditions d’utilisation"
      summary="Ce que le site fait pour vous, ce qu’il ne promet pas, et ce qu’il attend de vous."
      updated={{ iso: '2026-11-22', day: '22 novembre 2026' }}
    >
      <Part title="Le service">
        <p>
          Vous écrivez une révélation, y joignez au besoin un fichier, choisissez une date et des
          personnes. À cette date, elle s’ouvre pour elles sur le site, et un lien personnel part à
          l’adresse que vous avez donnée.
        </p>
        <p>
          Avant la date choisie, personne d’autre que vous ne peut ouvrir le contenu sur le site. Le
          contenu et le fichier sont conservés chiffrés&#8239;; la clé est gardée à part de la base
          et des sauvegardes.
        </p>
      </Part>
      <Part title="Ce qu’il ne promet pas">
        <Points>
          <li>
            Qu’un e-mail soit lu&#8239;: une adresse change, une boîte refuse. Le journal de
            livraison vous le dit, et vous pouvez corriger l’adresse, ou remettre la lettre en mains
            propres.
          </li>
          <li>
            De durer autant que vous&#8239;: un site peut fermer, et l’export est là pour cela.
          </li>
          <li>
            D’être disponible à chaque instant. Un retard du serveur retarde un e-mail, jamais
            l’ouverture sur le site.
          </li>
        </Points>
        <p>Gardez une copie de ce qui compte&#8239;: l’export la donne, sur chaque plan.</p>
      </Part>
      <Part title="Votre compte">
        <p>
          Il faut avoir 15&nbsp;ans ou plus, donner une adresse qui est la vôtre, et garder votre
          mot de passe pour vous. Vous pouvez partir quand vous voulez, dans vos paramètres&#8239;;
          ce que vous avez scellé part avec vous, ce qui attendait un destinataire ne lui sera pas
          livré.
        </p>
      </Part>
      <Part title="Ce que vous publiez">
        <p>
          Vous en restez l’auteur et le responsable. Vous autorisez seulement le site à le
          conserver, à en préparer les formats que demandent les téléphones, et à le montrer aux
          personnes choisies. Une fois dévoilés, le titre, la lettre, le fichier et la date ne
          changent plus.
        </p>
        <p>Ne publiez pas&#8239;:</p>
        <Points>
          <li>ce qui est illicite, haineux, menaçant, ou qui porte atteinte à un enfant&#8239;;</li>
          <li>la vie privée ou l’image d’autrui sans son accord&#8239;;</li>
          <li>l’œuvre d’un autre sans en avoir le droit&#8239;;</li>
          <li>des envois à des personnes qui n’en veulent pas.</li>
        </Points>
      </Part>
      <Part title="Prédictions publiques">
        <p>
          D’une révélation publique que son auteur a scellée comme{' '}
          <Link to={paths.predictions} className={linkClass}>
            prédiction
          </Link>
          , il peut déclarer l’issue une fois qu’elle est dévoilée, et chaque lecteur peut voter.
          Une issue se change, jamais en silence&#8239;; le bilan public d’un auteur compte toutes
          les prédictions qui étaient publiques dès leur scellement et ont attendu leur jour, celles
          qu’il a retirées comprises.
        </p>
      </Part>
      <Part title="Signalements">
        <p>
          Ce qui est signalé est examiné par une personne. Un contenu peut être masqué&#8239;; son
          auteur et la personne qui l’a signalé en reçoivent la raison par e-mail, et peuvent
          répondre à <ContactLink />.
        </p>
      </Part>
      <Part title="Plans et paiements">
        <p>
          Aujourd’hui, les achats sont simulés&#8239;: rien n’est prélevé. Le prix et ce que
          contient chaque plan sont dits avant l’achat. Un plan vaut pour le mois payé et ne se
          renouvelle pas de lui-même. Quand il se termine, rien n’est caché ni supprimé&#8239;: les
          limites du plan gratuit s’appliquent à ce que vous créez ensuite.
        </p>
      </Part>
      <Part title="Changements et droit applicable">
        <p>
          La date en haut de cette page dit quand ces conditions ont changé. Le droit belge
          s’applique&#8239;; si vous êtes consommateur, les règles protectrices et les tribunaux de
          votre pays restent les vôtres.
        </p>
      </Part>
    </LegalArticle>
  )
}
