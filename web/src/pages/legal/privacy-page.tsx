import { Link } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { LegalArticle, Part, Points } from './legal-article.tsx'
import { legalFirstScreen } from './legal-first-screen.ts'
import { ContactLink, OperatorLines } from './operator-lines.tsx'

const linkClass = 'font-semibold text-wax-ink underline underline-offset-4'

export const firstScreen = legalFirstScreen(paths.privacy)

export function PrivacyPage() {
  return (
    <LegalArticle
      title="Confidentialité"
      documentTitle="Confidentialité"
      summary="Ce que le site conserve, combien de temps, qui le voit, et ce que vous pouvez demander."
      updated={{ iso: '2026-11-22', day: '22 novembre 2026' }}
    >
      <Part title="Le responsable">
        <OperatorLines />
      </Part>
      <Part title="Vos révélations">
        <p>
          Avant la date choisie, personne d’autre que vous ne peut ouvrir le contenu sur le site. Le
          contenu et le fichier sont conservés chiffrés&nbsp;; la clé est gardée à part de la base
          et des sauvegardes.
        </p>
        <p>
          Le titre, la catégorie, la date, l’adresse du destinataire et le nombre de réactions, de
          commentaires, de votes et de vues sont conservés en clair&nbsp;: il en faut pour montrer
          l’enveloppe et livrer la lettre. L’adresse d’un destinataire n’est montrée en entier qu’à
          l’auteur et à ce destinataire.
        </p>
        <p>
          Une révélation reste jusqu’à ce que vous la supprimiez. Son contenu, ses fichiers et sa
          clé partent alors aussitôt&nbsp;; il reste une empreinte qui ne permet plus de rien
          retrouver, et le compte public de ce que vous avez retiré.
        </p>
      </Part>
      <Part title="Votre compte">
        <p>Sont conservés tant que votre compte existe&nbsp;:</p>
        <Points>
          <li>
            votre adresse e-mail, votre pseudo, l’empreinte de votre mot de passe (jamais le mot de
            passe), la date d’inscription et le fait que vous avez déclaré avoir 15 ans ou
            plus&nbsp;;
          </li>
          <li>
            ce que vous écrivez dans votre profil, et votre photo si vous en mettez une&nbsp;;
          </li>
          <li>
            vos relations, vos demandes, les personnes que vous avez bloquées, vos réactions,
            commentaires, votes, messages vocaux, dates de calendrier et rappels&nbsp;;
          </li>
          <li>vos préférences de mails, votre plan et vos achats.</li>
        </Points>
        <p>
          Votre adresse n’est jamais publique. Vos amis, votre famille et les personnes à qui vous
          demandez une relation la voient.
        </p>
      </Part>
      <Part title="Combien de temps, pour le reste">
        <Points>
          <li>
            Sessions&nbsp;: le navigateur et le système («&nbsp;Firefox · Linux&nbsp;»), la date
            d’ouverture et de dernière visite&nbsp;; 30 jours sans visite, 90 jours au plus. Vous
            pouvez les fermer dans vos paramètres.
          </li>
          <li>Échecs de connexion, sous forme d’empreinte&nbsp;: 15 minutes.</li>
          <li>Liens de confirmation et de mot de passe&nbsp;: 7 jours après leur fin.</li>
          <li>
            Vues&nbsp;: une empreinte du jour, effacée le lendemain&nbsp;; seul le nombre reste.
          </li>
          <li>Adresses à qui vous avez écrit, sous forme d’empreinte&nbsp;: 24 heures.</li>
          <li>Mails partis&nbsp;: 90 jours, pour le journal de livraison.</li>
          <li>
            Fichiers envoyés et jamais utilisés&nbsp;: 24 heures&nbsp;; envois inachevés&nbsp;: 3
            jours.
          </li>
          <li>
            Adresses qui ne veulent plus de mails, sous forme d’empreinte&nbsp;: sans limite, pour
            que ce choix soit respecté.
          </li>
          <li>
            L’adresse laissée par un visiteur avec un signalement&nbsp;: jusqu’à la réponse. Le
            registre de ce que l’exploitant a masqué ou ouvert, qui ne contient que des identifiants
            et des raisons&nbsp;: sans limite.
          </li>
        </Points>
        <p>
          Les sauvegardes contiennent la même chose, chiffrée pour les contenus et les fichiers, et
          ne sont gardées que le temps nécessaire à une restauration&nbsp;: ce que vous supprimez en
          disparaît avec elles.
        </p>
      </Part>
      <Part title="Adresses IP et journaux">
        <p>
          Votre adresse IP sert, le temps d’une requête, à limiter les abus&nbsp;; elle n’est
          conservée que sous forme d’empreinte, quelques minutes. Le journal du serveur note la
          méthode, le type de page, le résultat et la durée&nbsp;: ni adresse IP, ni recherche, ni
          contenu.
        </p>
      </Part>
      <Part title="Dans votre navigateur">
        <p>
          Le site ne dépose aucun cookie et ne charge rien d’un autre site. Votre navigateur garde
          votre jeton de connexion, vos brouillons, vos enregistrements et vos envois
          inachevés&nbsp;: ils restent sur votre appareil et s’effacent quand vous vous déconnectez
          ou quand ils sont arrivés.
        </p>
        <p>
          Il garde aussi les fichiers du site lui-même, pour s’ouvrir sans réseau, et votre profil
          tel que vous le voyez, jusqu’à la déconnexion. Il ne garde ni lettre reçue, ni média, ni
          page déjà lue. Ce que vous partagez vers le site depuis votre téléphone attend là un jour
          au plus.
        </p>
      </Part>
      <Part title="Mails">
        <p>
          Le site vous écrit pour livrer ce qui vous est adressé, confirmer votre adresse et, si
          vous le voulez, vous prévenir de ce qui se passe. Chaque mail dit qui l’a fait partir et
          pourquoi, ne contient jamais la lettre, et porte un lien «&nbsp;ne plus recevoir&nbsp;».
          Aucun mail ne contient d’image qui vous suit. L’ouverture d’un lien personnel est notée
          pour l’auteur de la lettre.
        </p>
      </Part>
      <Part title="Qui d’autre y a accès">
        <p>
          Par défaut, personne&nbsp;: le programme n’appelle aucun service extérieur, ne mesure pas
          d’audience et ne vend rien. Les mails passent par le serveur d’envoi de l’exploitant, et
          les données se trouvent sur les machines de l’hébergeur nommé ci-dessus. L’exploitant
          remet à la justice ce que la loi l’oblige à remettre.
        </p>
      </Part>
      <Part title="Pourquoi il en a le droit">
        <p>
          Vos données servent à rendre le service que vous demandez (article 6, paragraphe 1, b, du
          RGPD). La sécurité du site et la lutte contre les abus relèvent de l’intérêt légitime (f),
          les obligations envers la justice de la loi (c). L’adresse d’un destinataire sans compte
          vient de l’auteur de la lettre, et ne sert qu’à la lui livrer.
        </p>
      </Part>
      <Part title="Vos droits">
        <Points>
          <li>
            <strong>Voir et emporter</strong>&nbsp;: «&nbsp;Exporter mes données&nbsp;», dans vos{' '}
            <Link to={paths.ownSettings} className={linkClass}>
              paramètres
            </Link>
            , donne tout, fichiers compris, sur chaque plan.
          </li>
          <li>
            <strong>Corriger</strong>&nbsp;: votre profil, votre adresse et vos révélations encore
            scellées se modifient sur le site.
          </li>
          <li>
            <strong>Effacer</strong>&nbsp;: supprimez une révélation, ou votre compte entier dans
            vos paramètres. Les contenus partent aussitôt.
          </li>
          <li>
            <strong>Ne plus recevoir</strong>&nbsp;: le lien au bas de chaque mail, avec ou sans
            compte.
          </li>
          <li>
            <strong>Vous opposer, limiter, demander</strong>, que vous ayez un compte ou soyez
            seulement destinataire&nbsp;: écrivez à <ContactLink />. La réponse vient dans le mois.
          </li>
          <li>
            <strong>Vous plaindre</strong>&nbsp;: en Belgique, à l’Autorité de protection des
            données, rue de la Presse 35, 1000 Bruxelles (
            <a
              href="https://www.autoriteprotectiondonnees.be/"
              rel="noopener"
              className={linkClass}
            >
              autoriteprotectiondonnees.be
            </a>
            ), ou à l’autorité de votre pays.
          </li>
        </Points>
      </Part>
    </LegalArticle>
  )
}
