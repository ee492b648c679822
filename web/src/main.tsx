import './app/theme.css'
import { startApp } from './app/start-app.tsx'

void startApp()
