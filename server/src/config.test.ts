import { describe, expect, it } from 'vitest'
import { StartError } from '#server/platform/start-error.ts'
import { readConfig } from './config.ts'

const BUCKET = { S3_BUCKET: 'films', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'the secret' }

/** What the operator reads when the program refuses to start with these variables. */
function refusalOf(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    return (error as StartError).message
  }
  return expect.unreachable('the configuration was accepted')
}

describe('readConfig', () => {
  it.each([
    ['PORT', 'beaucoup'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'mysql://x'],
    ['SMTP_URL', 'mailserver'],
    ['MAIL_FROM', 'a@x.fr, b@y.fr'],
    ['PUBLIC_URL', 'ftp://exemple.test'],
    ['PUBLIC_URL', 'https://exemple.test/chemin'],
    ['ROLE', 'chef'],
    ['LOG_LEVEL', 'bavard'],
    ['RATE_LIMITS', 'non'],
    ['TRUSTED_PROXIES', '10.0.0.1, monproxy'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['HEALTH_PORT', 'oui'],
  ])('refuses %s=%s in one sentence that names it', (name, value) => {
    const sentence = refusalOf({ [name]: value })
    expect(sentence).toContain(name)
    expect(sentence.trim().split('\n')).toHaveLength(1)
  })

  it.each([
    ['SMTP_URI', 'smtp://user:secret@mail.exemple.fr', 'SMTP_URL, MAIL_FROM'],
    ['SMTP_HOST', 'secret', 'SMTP_URL, MAIL_FROM'],
    ['MAIL_SENDER', 'secret@exemple.fr', 'SMTP_URL, MAIL_FROM'],
    ['S3_SECRET', 'secret', 'S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY, S3_SECRET_KEY'],
  ])('refuses %s, which nobody reads, and repeats no secret', (name, value, known) => {
    expect(refusalOf({ [name]: value })).toBe(
      `${name} is not a variable of this program: it knows ${known}.`,
    )
  })

  it('leaves alone what is not set, and what an orchestrator says of its services', () => {
    readConfig({
      SMTP_HOST: '',
      MAIL: '/var/mail/root',
      SMTP_SERVICE_HOST: '10.0.0.3',
      SMTP_SERVICE_PORT_SUBMISSION: '587',
      SMTP_PORT: 'tcp://10.0.0.3:587',
      SMTP_PORT_587_TCP_ADDR: '10.0.0.3',
    })
  })

  it('takes a name with the address that mails are from', () => {
    const from = 'En famille <bonjour@exemple.fr>'
    expect(readConfig({ MAIL_FROM: from }).mail.from).toBe(from)
  })

  it('refuses rate limits off for the world', () => {
    expect(refusalOf({ RATE_LIMITS: 'off', HOST: '0.0.0.0' })).toMatch(/RATE_LIMITS/)
  })

  it.each(Object.keys(BUCKET))('refuses a bucket without %s, and repeats no secret', (name) => {
    expect(refusalOf({ ...BUCKET, [name]: '' })).toMatch(
      new RegExp(`^${name} is missing(?!.*secret)`),
    )
  })

  it('refuses the address of a bucket that is not named', () => {
    expect(refusalOf({ S3_ENDPOINT: 'http://127.0.0.1:9000' })).toMatch(
      /^S3_BUCKET and .* are missing/,
    )
  })

  it.each([
    ['S3_BUCKET', 'Mes Films'],
    ['S3_REGION', 'Paris, France'],
    ['S3_ENDPOINT', 'http://127.0.0.1/films'],
    ['S3_ENDPOINT', 'http://key:the secret@127.0.0.1'],
  ])('refuses a bucket with %s=%s, and repeats no secret', (name, value) => {
    expect(refusalOf({ ...BUCKET, [name]: value })).toMatch(new RegExp(`^${name} (?!.*secret)`))
  })

  it('takes the media tools from FFMPEG_PATH and FFPROBE_PATH', () => {
    expect(readConfig({ FFMPEG_PATH: '/a/ffmpeg', FFPROBE_PATH: '/a/ffprobe' }).tools).toEqual({
      ffmpegPath: '/a/ffmpeg',
      ffprobePath: '/a/ffprobe',
    })
  })
})
