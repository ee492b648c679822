/** Stops whatever else plays on the page: two voices at once are nobody's wish. */
export function playAlone(player: HTMLMediaElement): void {
  for (const other of document.querySelectorAll<HTMLMediaElement>('video, audio')) {
    if (other !== player && !other.paused) other.pause()
  }
}
