import { Skeleton } from '#web/ui/skeleton.tsx'
import { ProfileCover } from './profile-cover.tsx'

/** The shape of the page while the person is on their way. */
export function ProfileSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Chargement du profil</span>
      <div aria-hidden="true">
        <ProfileCover />
        <div className="content">
          <Skeleton className="-mt-14 relative size-28 rounded-full! border-4 border-ground sm:-mt-18 sm:size-36" />
          <Skeleton className="mt-4 h-9 w-52" />
          <Skeleton className="mt-3 h-5 w-40" />
          <Skeleton className="mt-5 h-14 w-full max-w-lg" />
          <Skeleton className="mt-8 h-12 w-full" />
          <div className="mt-6 grid gap-5 lg:grid-cols-2">
            <Skeleton className="h-44 rounded-card!" />
            <Skeleton className="h-44 rounded-card!" />
          </div>
        </div>
      </div>
    </div>
  )
}
