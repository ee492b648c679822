import { markup } from './markup.ts'

/** What cannot stand on an element: the gradients, narrow screens, and the dark, whose colours replace the inline ones. */
export const STYLES = markup`
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body.ground { padding: 28px 12px 36px !important; background: #FBF6EC; }
a { color: #921C2E; }
.night { background-image: linear-gradient(180deg, #0B1028 0%, #1B2250 100%); }
.dawn { background-image: linear-gradient(180deg, #2A2F66 0%, #7A4470 45%, #E9803A 85%, #F6B56F 100%); }
@media (max-width: 480px) {
  .side > table > tbody > tr > td { padding-left: 22px !important; padding-right: 22px !important; }
  .heading { font-size: 25px !important; line-height: 31px !important; }
  .button table { width: 100% !important; }
  .button a { display: block !important; }
}
@media (prefers-color-scheme: dark) {
  .ground, .ground > div { background: #0A0E26 !important; }
  .card, .card > table { background: #1B2250 !important; }
  .card > table > tbody > tr > td { border-color: #2D3670 !important; }
  .envelope > table > tbody > tr > td { background: #141A40 !important; border-color: #39437F !important; }
  .ink div, .ink h1 { color: #F2F0FF !important; }
  .soft div { color: #C9D0F5 !important; }
  .faint div { color: #A3ACDD !important; }
  a.link { color: #FFB4BE !important; }
}
[data-ogsc] .ink div, [data-ogsc] .ink h1 { color: #F2F0FF !important; }
[data-ogsc] .soft div { color: #C9D0F5 !important; }
[data-ogsc] .faint div { color: #A3ACDD !important; }
`
