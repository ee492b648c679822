const ADDRESSES = '/api/avatars/'
const VERSION = /^([0-9a-f]{32})\.webp$/

/** Where a picture is kept; its random name is also its version in the address. */
export function avatarKeyOf(version: string): string {
  return `avatars/${version.slice(0, 2)}/${version}`
}

/** The public address of a picture. Another picture has another address: it may be kept for ever. */
export function avatarUrlOf(userId: string, version: string): string {
  return `${ADDRESSES}${userId}/${version}.webp`
}

/** Whether a picture would have to be made, unlike for one’s own that is sent back. */
export function namesUpload(avatarUrl: string | null | undefined): boolean {
  return Boolean(avatarUrl) && !avatarUrl?.startsWith(ADDRESSES)
}

/** Where the picture of an address is kept; undefined for a name that no picture has. */
export function avatarKeyNamed(name: string): string | undefined {
  const version = VERSION.exec(name)?.[1]
  return version && avatarKeyOf(version)
}
