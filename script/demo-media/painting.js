/* What the scenes of the demo share; runs in the page that paints them. */

/** The same « random » numbers at each run. */
function seeded(seed) {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}

function clamp(value) {
  return Math.min(1, Math.max(0, value))
}

/** How far one is between two instants, slow at both ends. */
function between(t, from, to) {
  const x = clamp((t - from) / (to - from))
  return x * x * (3 - 2 * x)
}

function mix(one, other, share) {
  const part = (hex, at) => Number.parseInt(hex.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map((at) =>
    Math.round(part(one, at) + (part(other, at) - part(one, at)) * share)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${mixed.join('')}`
}

function withAlpha(hex, alpha) {
  return (
    hex +
    Math.round(clamp(alpha) * 255)
      .toString(16)
      .padStart(2, '0')
  )
}

/** A sky from top to bottom: its stops are [place, colour]. */
function fillSky(ctx, stops) {
  const { width, height } = ctx.canvas
  const sky = ctx.createLinearGradient(0, 0, 0, height)
  for (const [place, colour] of stops) sky.addColorStop(place, colour)
  ctx.fillStyle = sky
  ctx.fillRect(0, 0, width, height)
}

function glow(ctx, x, y, radius, colour, strength) {
  const light = ctx.createRadialGradient(x, y, 0, x, y, radius)
  light.addColorStop(0, withAlpha(colour, strength))
  light.addColorStop(0.35, withAlpha(colour, strength * 0.45))
  light.addColorStop(1, withAlpha(colour, 0))
  ctx.fillStyle = light
  ctx.fillRect(0, 0, ctx.canvas.width, ctx.canvas.height)
}

function stars(ctx, { count, seed, strength, t = 0, lowest = 0.7 }) {
  if (strength <= 0) return
  const random = seeded(seed)
  const { width, height } = ctx.canvas
  for (let index = 0; index < count; index += 1) {
    const x = random() * width
    const y = random() ** 1.4 * height * lowest
    const radius = 0.5 + random() ** 3 * 1.5
    const twinkle = 0.7 + 0.3 * Math.sin(t * (1.2 + random() * 2) + random() * 6)
    ctx.fillStyle = `rgba(255, 250, 240, ${strength * twinkle * (0.35 + random() * 0.6)})`
    ctx.beginPath()
    ctx.arc(x, y, radius, 0, 7)
    ctx.fill()
  }
}

/** Hills whose crest is a few waves added up. */
function hills(ctx, { base, waves, colour }) {
  const { width, height } = ctx.canvas
  ctx.fillStyle = colour
  ctx.beginPath()
  ctx.moveTo(0, height)
  for (let x = 0; x <= width; x += 4) {
    ctx.lineTo(x, crest(x, base, waves))
  }
  ctx.lineTo(width, height)
  ctx.fill()
}

function crest(x, base, waves) {
  return waves.reduce((y, [size, length, shift]) => y - size * Math.sin(x / length + shift), base)
}

Object.assign(globalThis, { seeded, between, mix, withAlpha, fillSky, glow, stars, hills, crest })
