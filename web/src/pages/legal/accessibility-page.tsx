import { LegalArticle, Part, Points } from './legal-article.tsx'
import { ContactLink } from './operator-lines.tsx'

export function AccessibilityPage() {
  return (
    <LegalArticle
      title="Accessibilité"
      documentTitle="Accessibilité"
      summary="Ce qui a été vérifié, ce qui manque encore, et à qui dire ce qui vous arrête."
      updated={{ iso: '2026-11-22', day: '22 novembre 2026' }}
    >
      <Part title="L’état du site">
        <p>
          Le site vise le niveau AA des règles WCAG&nbsp;2.2. C’est une déclaration de ceux qui
          l’ont fait&#8239;: aucun organisme indépendant ne l’a encore contrôlé, et le site est tenu
          pour partiellement conforme.
        </p>
      </Part>
      <Part title="Ce qui a été vérifié">
        <Points>
          <li>
            Les principaux parcours, dans Chromium, avec l’outil axe&#8239;: s’inscrire, sceller,
            lire, réagir, commenter, enregistrer un message, gérer son compte.
          </li>
          <li>
            Le contraste de chaque couple de couleurs&#8239;: 4,5&#8239;:&nbsp;1 au moins, clair et
            sombre.
          </li>
          <li>
            Un écran de 360&nbsp;pixels de large&#8239;: rien ne défile de côté, chaque cible fait
            44&nbsp;pixels.
          </li>
          <li>
            La vie d’une lettre, au clavier seul et agrandie à 200&nbsp;%&#8239;: la sceller, la
            retrouver, la lire et y répondre&#8239;; regarder son film, écouter son message,
            agrandir son image.
          </li>
          <li>
            Le souhait de moins de mouvement&#8239;: les animations s’arrêtent, rien ne se perd.
          </li>
          <li>
            Les comptes à rebours ont une date en toutes lettres et ne sont pas lus chaque seconde.
          </li>
        </Points>
      </Part>
      <Part title="Ce qui manque encore">
        <Points>
          <li>
            Les vidéos et les messages vocaux de nos membres n’ont ni sous-titres ni transcription.
          </li>
          <li>Les images jointes n’ont d’autre description que le titre de la révélation.</li>
          <li>
            Aucun essai complet n’a été fait avec un lecteur d’écran par une personne qui s’en sert
            chaque jour, ni dans Safari et Firefox.
          </li>
          <li>Les documents joints sont tels que leur auteur les a faits.</li>
        </Points>
      </Part>
      <Part title="Quelque chose vous arrête&#8239;?">
        <p>
          Écrivez à <ContactLink /> en disant la page, l’appareil et ce que vous vouliez faire. Vous
          recevrez une réponse dans le mois, et l’information que vous cherchiez sous une autre
          forme.
        </p>
        <p>
          Sans réponse satisfaisante, vous pouvez vous adresser en Belgique à Unia, service public
          indépendant contre la discrimination (
          <a
            href="https://www.unia.be/"
            rel="noopener"
            className="font-semibold text-wax-ink underline underline-offset-4"
          >
            unia.be
          </a>
          , 0800&nbsp;12&nbsp;800).
        </p>
      </Part>
    </LegalArticle>
  )
}
