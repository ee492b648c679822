const FORBIDDEN = /[\\/:*?"<>|\p{Cc}]+/gu

/** The title as a name any system takes, with the extension of what was really sent: « Bonne nuit.m4a ». */
export function downloadNameOf(title: string, fileName: string | undefined): string {
  const name = title
    .replace(FORBIDDEN, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\.+|\.+$/g, '')
  const extension = /\.[a-z0-9]{1,8}$/i.exec(fileName ?? '')?.[0].toLowerCase() ?? ''
  return `${name || 'message'}${extension}`
}
