import { Avatar } from '#web/ui/avatar.tsx'

interface Face {
  pseudo: string
  avatar_url: string | null
}

interface FamilyFacesProps {
  me: Face
  members: readonly (Face & { id: string })[]
}

const PLACES = 7
const RADIUS_PERCENT = 40

/** A drawing of the family, on wide screens; the contacts tab names everybody. */
export function FamilyRing({ me, members }: FamilyFacesProps) {
  const faces = members.length > PLACES ? members.slice(0, PLACES - 1) : members
  const others = members.length - faces.length
  const places = placesAround(Math.max(faces.length + (others > 0 ? 1 : 0), 5))
  return (
    <div
      aria-hidden="true"
      className="relative hidden aspect-square w-68 shrink-0 md:block lg:mr-8"
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 100 100"
        className="absolute inset-0 size-full"
        fill="none"
      >
        <circle cx="50" cy="50" r={RADIUS_PERCENT} stroke="#6f7cc4" strokeDasharray="0.5 2.2" />
        <g stroke="#f6c987" strokeOpacity="0.35" strokeWidth="0.5">
          {places.slice(0, faces.length).map(({ x, y }) => (
            <path key={`${x} ${y}`} d={`M50 50 ${x} ${y}`} />
          ))}
        </g>
        {places.slice(faces.length).map(({ x, y }) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r="2.4" fill="#1b2250" stroke="#6f7cc4" />
        ))}
      </svg>
      <span className="absolute inset-[34%] rounded-full bg-[#e9803a] opacity-50 blur-xl" />
      <Placed x={50} y={50}>
        <Avatar
          name={me.pseudo}
          src={me.avatar_url}
          className="size-18 border-3! border-[#f6c987]! font-serif text-3xl"
        />
      </Placed>
      {faces.map(({ id, pseudo, avatar_url }, index) => (
        <Placed key={id} {...(places[index] ?? { x: 50, y: 50 })}>
          <Avatar
            name={pseudo}
            src={avatar_url}
            className="size-12 border-2! text-lg shadow-soft"
          />
        </Placed>
      ))}
      {others > 0 && (
        <Placed {...(places[faces.length] ?? { x: 50, y: 50 })}>
          <More count={others} className="size-12" />
        </Placed>
      )}
    </div>
  )
}

const IN_A_ROW = 6

/** The same family where there is no room for a ring. */
export function FaceRow({ me, members }: FamilyFacesProps) {
  const faces = members.slice(0, IN_A_ROW - 1)
  const others = members.length - faces.length
  return (
    <div aria-hidden="true" className="mt-4 flex min-h-11 pl-2 md:hidden">
      {[{ id: 'me', ...me }, ...faces].map(({ id, pseudo, avatar_url }) => (
        <Avatar
          key={id}
          name={pseudo}
          src={avatar_url}
          className="-ml-2 size-11 border-2! border-[#6f7cc4]!"
        />
      ))}
      {others > 0 && <More count={others} className="-ml-2 size-11" />}
    </div>
  )
}

function More({ count, className }: { count: number; className: string }) {
  return (
    <span
      className={`${className} tabular-digits inline-flex items-center justify-center rounded-full border-2 border-[#6f7cc4] bg-surface font-semibold text-sm`}
    >
      +{count}
    </span>
  )
}

function Placed({ x, y, children }: { x: number; y: number; children: React.ReactNode }) {
  return (
    <span
      className="-translate-x-1/2 -translate-y-1/2 absolute inline-flex"
      style={{ left: `${x}%`, top: `${y}%` }}
    >
      {children}
    </span>
  )
}

/** So many places on the circle, evenly, the first one at its top; in percents of the drawing. */
function placesAround(count: number): { x: number; y: number }[] {
  return Array.from({ length: count }, (_, index) => {
    const angle = (index / count) * 2 * Math.PI - Math.PI / 2
    return {
      x: Math.round((50 + RADIUS_PERCENT * Math.cos(angle)) * 10) / 10,
      y: Math.round((50 + RADIUS_PERCENT * Math.sin(angle)) * 10) / 10,
    }
  })
}
