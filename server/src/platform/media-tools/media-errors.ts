/** The bytes are no readable picture, sound or video: broken, a playlist, no stream, absurd. */
export class UnreadableMedia extends Error {
  override name = 'UnreadableMedia'
}

/** A picture whose decoding would take too much memory, however small its file. */
export class TooManyPixels extends Error {
  override name = 'TooManyPixels'
}

/** ffmpeg or ffprobe failed. The message is safe to log: it contains no address of a plain source. */
export class ToolFailed extends Error {
  override name = 'ToolFailed'
  readonly exitCode: number | null

  constructor(message: string, exitCode: number | null) {
    super(message)
    this.exitCode = exitCode
  }
}

/** A tool that was stopped at a limit of time, processor or size: the same file would reach it again. */
export class TooMuchWork extends ToolFailed {
  override name = 'TooMuchWork'
}
