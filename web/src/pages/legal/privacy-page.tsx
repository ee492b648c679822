import { Link } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { LegalArticle, Part, Points } from './legal-article.tsx'
import { ContactLink, OperatorLines } from './operator-lines.tsx'

const linkClass = 'font-semibold text-wax-ink underline underline-offset-4'

export function PrivacyPage() {
  return (
    <LegalArticle
      title="Confidentialité"
      documentTitle="Confidentialité"
      summary="Ce que le site conserve, combien de temps, qui le voit, et ce que vous pouvez demander."
      updated={{ iso: '2026-11-28', day: '28 novembre 2026' }}
    >
      <Part title="Le responsable">
        <OperatorLines />
      </Part>
      <Part title="Vos révélations">
        <p>
          Avant la date choisie, personne d’autre que vous ne peut ouvrir le contenu sur le site. Le
          contenu et le fichier sont conservés chiffrés&#8239;; la clé est gardée à part de la base
          et des sauvegardes.
        </p>
        <p>
          Une fois ouvert, le texte d’une révélation publique, que chacun lit sur sa page, est aussi
          conservé en clair pour la recherche. Il en est effacé dès que la révélation est masquée,
          réservée à des proches ou supprimée, et n’est dans aucune sauvegarde.
        </p>
        <p>
          Le titre, la catégorie, la date, l’adresse du destinataire et le nombre de réactions, de
          commentaires, de votes et de vues sont conservés en clair&#8239;: il en faut pour montrer
          l’enveloppe et livrer la lettre. L’adresse d’un destinataire n’est montrée en entier qu’à
          l’auteur et à ce destinataire.
        </p>
        <p>
          D’un message vocal, la description et l’enregistrement sont chiffrés de même&#8239;; son
          titre, sa date et son mot d’attente sont conservés en clair, comme les commentaires et les
          profils.
        </p>
        <p>
          Une réponse privée à une lettre (mots, emoji ou voix) est chiffrée de même, et n’est lue
          que par l’auteur de la lettre et par qui l’a écrite. L’un et l’autre peuvent
          l’effacer&#8239;; elle part avec la lettre. Si l’auteur la signale, l’équipe lit ses mots.
        </p>
        <p>
          Une révélation reste jusqu’à ce que vous la supprimiez. Sa lettre, ses fichiers et sa clé
          partent alors aussitôt&#8239;; il reste une empreinte qui ne permet plus de rien
          retrouver, et le compte public de ce que vous avez retiré.
        </p>
        <p>
          Chaque version scellée laisse une empreinte, avec sa date, dans un{' '}
          <Link to={paths.proof} className={linkClass}>
            journal public
          </Link>{' '}
          où rien ne s’efface&#8239;: elle y reste sans limite, et ce qui en est publié ne dit ni la
          lettre ni de qui elle vient.
        </p>
      </Part>
      <Part title="Votre compte">
        <p>Sont conservés tant que votre compte existe&#8239;:</p>
        <Points>
          <li>
            votre adresse e-mail, votre pseudo, l’empreinte de votre mot de passe (jamais le mot de
            passe), la date d’inscription et le fait que vous avez déclaré avoir 15 ans ou
            plus&#8239;: sans eux, pas de compte. Le reste est facultatif&#8239;;
          </li>
          <li>
            ce que vous écrivez dans votre profil, et votre photo si vous en mettez une&#8239;;
          </li>
          <li>
            vos relations, vos demandes, les personnes que vous avez bloquées, vos réactions,
            commentaires, réponses, votes, messages vocaux, favoris, dates de calendrier et
            rappels&#8239;;
          </li>
          <li>
            vos préférences d’e-mails, votre plan, vos achats, et les adresses dont la personne a
            répondu que ce compte n’est pas le sien.
          </li>
        </Points>
        <p>
          Votre adresse n’est jamais publique. Vos amis, votre famille et les personnes à qui vous
          demandez une relation la voient&#8239;; vos destinataires aussi, si vous choisissez d’en
          recevoir les réponses par e-mail.
        </p>
      </Part>
      <Part title="Combien de temps, pour le reste">
        <Points>
          <li>
            Appareils connectés&#8239;: le navigateur et le système («&#8239;Firefox ·
            Linux&#8239;»), la date de connexion et de dernière visite&#8239;; 30&nbsp;jours sans
            visite, 90&nbsp;jours au plus. Vous pouvez les déconnecter dans vos paramètres.
          </li>
          <li>
            Jetons d’accès à l’API, si vous en créez&#8239;: leur nom, ce qu’ils permettent, la date
            de création et de dernier usage&#8239;; jusqu’à ce que vous les révoquiez.
          </li>
          <li>
            Ce qui vous est arrivé («&#8239;Notifications&#8239;»)&#8239;: de quoi il s’agit et
            quand, sans aucun mot d’une lettre, d’une réponse ou d’un commentaire&#8239;;
            180&nbsp;jours, ou jusqu’à la fin de ce dont il s’agit.
          </li>
          <li>
            Notifications sur un appareil, si vous les demandez&#8239;: l’adresse que le service de
            votre navigateur lui donne et deux clés, chiffrées, jusqu’à ce que vous les coupiez ou
            que l’appareil soit déconnecté&#8239;; ce qui y a été annoncé&#8239;: 90&nbsp;jours.
          </li>
          <li>Essais de mot de passe, sous forme d’empreinte&#8239;: 15&nbsp;minutes.</li>
          <li>
            Réseaux d’où vous vous êtes connecté, sous forme d’empreinte, pour que les essais
            d’autrui ne vous en empêchent pas&#8239;: les dix derniers, 90&nbsp;jours.
          </li>
          <li>Liens de confirmation et de mot de passe&#8239;: 7&nbsp;jours après leur fin.</li>
          <li>
            Vues&#8239;: votre compte ou, sans compte, une empreinte du jour&#8239;; effacés le
            lendemain, seul le nombre reste.
          </li>
          <li>
            Attente devant une page scellée&#8239;: votre compte, votre lien personnel ou, sans
            compte, une empreinte&#8239;; effacés deux minutes au plus après votre départ. Vos amis
            et votre famille y lisent votre pseudo, sauf si vous le coupez dans vos paramètres.
          </li>
          <li>Adresses à qui vous avez écrit, sous forme d’empreinte&#8239;: 24&nbsp;heures.</li>
          <li>
            E-mails partis (à qui, quand, pour quoi)&#8239;: 90&nbsp;jours. Celui qui porte une
            lettre et le journal de sa livraison restent aussi longtemps qu’elle.
          </li>
          <li>
            Fichiers envoyés et jamais utilisés&#8239;: 24&nbsp;heures&#8239;; envois
            inachevés&#8239;: 24&nbsp;heures après le dernier morceau reçu.
          </li>
          <li>
            Adresses qui ne veulent plus d’e-mails, sous forme d’empreinte&#8239;: sans limite, pour
            que ce choix soit respecté.
          </li>
          <li>
            Signalements&#8239;: sans limite, mais ceux que vous avez envoyés partent avec votre
            compte, et l’adresse laissée par un visiteur est oubliée dès la réponse. Le registre de
            ce que l’exploitant a masqué ou ouvert, qui ne contient que des identifiants et des
            raisons&#8239;: sans limite.
          </li>
        </Points>
        <p>
          Les sauvegardes contiennent la même chose, chiffrée pour les lettres et les fichiers, et
          ne sont gardées que le temps nécessaire à une restauration&#8239;: ce que vous supprimez
          en disparaît avec elles.
        </p>
      </Part>
      <Part title="Adresses IP et journaux">
        <p>
          Votre adresse IP sert, le temps d’une requête, à limiter les abus, à reconnaître d’où vous
          vous connectez et à ne compter une vue qu’une fois&#8239;; elle n’est conservée que sous
          forme d’empreinte, une heure au plus pour les abus, un jour pour les vues, deux minutes
          pour l’attente devant une page scellée, 90&nbsp;jours pour vos connexions. Le journal du
          serveur note la méthode, le type de page, le résultat et la durée&#8239;: ni adresse IP,
          ni recherche, ni contenu.
        </p>
      </Part>
      <Part title="Dans votre navigateur">
        <p>
          Le site ne dépose aucun cookie et ne charge rien d’un autre site. Votre navigateur garde
          ce qui garde votre compte ouvert, vos brouillons, vos enregistrements et vos envois
          inachevés&#8239;: ils restent sur votre appareil et s’effacent quand vous vous déconnectez
          ou quand ils sont arrivés. La clé d’un lien personnel y reste le temps de l’onglet,
          24&nbsp;heures au plus, ou jusqu’à ce que vous l’oubliiez si vous avez dit que cet
          appareil est à vous.
        </p>
        <p>
          Il garde aussi les fichiers du site lui-même, pour s’ouvrir sans réseau, et votre profil
          tel que vous le voyez, jusqu’à la déconnexion. Il ne garde ni lettre reçue, ni média, ni
          page déjà lue, sauf les lettres ouvertes que vous demandez de lire sans réseau&#8239;:
          elles y sont chiffrées, jusqu’à ce que vous les effaciez ou vous déconnectiez. Ce que vous
          partagez vers le site depuis votre téléphone attend là un jour au plus.
        </p>
        <p>
          Il retient enfin, sans rien en dire à personne, votre première visite, le volume et la
          vitesse de lecture, l’endroit où vous avez laissé un film ou un son (jusqu’à la fin, ou
          jusqu’à la déconnexion), un rappel que vous avez masqué, les lettres que vous y avez
          attendues ou ouvertes par un lien, et, même déconnecté, la clé du journal public avec les
          points de contrôle que vous avez vérifiés ou collés&#8239;: ils ne disent rien de vos
          lettres.
        </p>
      </Part>
      <Part title="E-mails">
        <p>
          Le site vous écrit pour livrer ce qui vous est adressé, confirmer votre adresse et, si
          vous le voulez, vous prévenir de ce qui se passe. Chaque e-mail dit pourquoi il part et ne
          contient jamais la lettre&#8239;; s’il vient d’une personne, il porte son pseudo et, si
          elle en a écrit un, un mot d’elle. Les lettres, les annonces et les notifications portent
          un lien «&#8239;ne plus recevoir&#8239;»&#8239;; ce qui touche à la sécurité de votre
          compte, à une lettre qui n’a pas pu être remise ou à un signalement vous est écrit sans
          cela. Aucun e-mail ne contient d’image qui vous suit. L’ouverture d’un lien personnel est
          notée pour l’auteur de la lettre, sauf si vous demandez de ne pas le dire. Une lettre que
          vous n’avez pas ouverte vous est rappelée deux fois, après une semaine et après deux mois.
        </p>
      </Part>
      <Part title="Qui d’autre y a accès">
        <p>
          Par défaut, personne&#8239;: le programme n’appelle aucun service extérieur, ne mesure pas
          d’audience et ne vend rien. Une seule exception, si vous la voulez&#8239;: les
          notifications sur un appareil. Les e-mails passent par le serveur d’envoi de l’exploitant,
          et les données se trouvent sur les machines de l’hébergeur nommé ci-dessus, qui dit aussi
          si elles sont hors de l’Union européenne. L’exploitant remet à la justice ce que la loi
          l’oblige à remettre.
        </p>
        <p>
          Ces notifications passent par le service de l’éditeur de votre navigateur (Google,
          Mozilla, Apple ou Microsoft), qui peut se trouver hors de l’Union européenne. Il voit
          quand un message arrive à cet appareil et sa longueur&#8239;; le message est chiffré pour
          l’appareil seul, et dit de qui est la révélation, jamais son titre ni un de ses mots.
        </p>
      </Part>
      <Part title="Pourquoi il en a le droit">
        <p>
          Vos données servent à rendre le service que vous demandez (article 6, paragraphe 1, b, du
          RGPD). La sécurité du site et la lutte contre les abus relèvent de l’intérêt légitime (f),
          les obligations envers la justice de la loi (c). L’adresse d’un destinataire sans compte
          vient de l’auteur de la lettre, et ne sert qu’à la lui livrer.
        </p>
        <p>Le site ne dresse aucun profil de vous, et aucune machine n’y décide à votre sujet.</p>
      </Part>
      <Part title="Vos droits">
        <Points>
          <li>
            <strong>Voir et emporter</strong>&#8239;: «&#8239;Exporter mes données&#8239;», dans vos{' '}
            <Link to={paths.ownSettings} className={linkClass}>
              paramètres
            </Link>
            , donne tout, fichiers compris, sur chaque plan.
          </li>
          <li>
            <strong>Corriger</strong>&#8239;: votre profil, votre adresse et vos révélations encore
            scellées se modifient sur le site.
          </li>
          <li>
            <strong>Effacer</strong>&#8239;: supprimez une révélation, ou votre compte entier dans
            vos paramètres. Ses lettres et ses fichiers partent aussitôt.
          </li>
          <li>
            <strong>Ne plus recevoir</strong>&#8239;: le lien au bas des e-mails, avec ou sans
            compte, et les réglages de votre profil.
          </li>
          <li>
            <strong>Vous opposer, limiter, demander</strong>, que vous ayez un compte ou soyez
            seulement destinataire&#8239;: écrivez à <ContactLink />. La réponse vient dans le mois.
          </li>
          <li>
            <strong>Vous plaindre</strong>&#8239;: en Belgique, à l’Autorité de protection des
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
