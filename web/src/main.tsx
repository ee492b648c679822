import { createRoot } from 'react-dom/client'
import '#web/app/theme.css'

createRoot(document.getElementById('root') as HTMLElement).render(<p>x</p>)
