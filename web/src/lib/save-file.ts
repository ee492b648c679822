/** Has the browser save what an address of this site answers; the page stays. */
export function saveFrom(url: string, fileName = ''): void {
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
}

export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  saveFrom(url, fileName)
  // Some browsers read it a little later than the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
