import './app/theme.css'
import { startApp } from './app/start-app.tsx'

startApp().catch((error) => {
  // A part of the code is not to be had; `before-paint.js` tells when it is this one.
  document.getElementById('not-loaded')?.removeAttribute('hidden')
  throw error
})
