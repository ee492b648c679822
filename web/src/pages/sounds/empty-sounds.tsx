import { EmptyState } from '#web/ui/empty-state.tsx'
import { RecordActions } from './record-actions.tsx'

interface EmptySoundsProps {
  onRecord: () => void
  onImport: () => void
}

export function EmptySounds(props: EmptySoundsProps) {
  return (
    <EmptyState
      drawing={<SilentMicrophone />}
      title="Aucune voix pour l’instant"
      action={<RecordActions {...props} />}
    >
      Un bonjour, une chanson, une histoire du soir&nbsp;: le premier message peut être le vôtre.
    </EmptyState>
  )
}

/** A microphone under the moon, before anybody has spoken. */
function SilentMicrophone() {
  return (
    <svg aria-hidden="true" viewBox="0 0 240 150" className="w-60">
      <rect width="240" height="150" rx="14" fill="#1b2250" />
      <g fill="#fff" fillOpacity="0.3">
        <circle cx="34" cy="30" r="1.2" />
        <circle cx="72" cy="18" r="1.6" />
        <circle cx="160" cy="16" r="1.4" />
        <circle cx="214" cy="72" r="1.2" />
        <circle cx="22" cy="86" r="1" />
      </g>
      <path d="M197 20a17 17 0 1 0 13 28 20 20 0 0 1-13-28z" fill="#f6c987" />
      <g fill="none" stroke="#6f7cc4" strokeLinecap="round" strokeWidth="4">
        <path d="M44 75v4M58 70v14M72 75v4M168 75v4M182 70v14M196 75v4" strokeOpacity="0.7" />
        <path d="M96 72v6a24 24 0 0 0 48 0v-6M120 104v18M104 124h32" />
      </g>
      <rect x="106" y="38" width="28" height="54" rx="14" fill="#2a3376" />
      <path d="M106 58h28M106 68h28" stroke="#1b2250" strokeWidth="3" />
      <circle cx="120" cy="48" r="3" fill="#e9803a" />
    </svg>
  )
}
