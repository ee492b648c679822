/* The evening of another planet, where sunsets are blue; something comes down: 4 seconds. */
globalThis.seconds = 4

globalThis.draw = (ctx, t) => {
  fillSky(ctx, [
    [0, '#120d24'],
    [0.3, '#3a2036'],
    [0.55, '#7d3a3a'],
    [0.74, '#b8684a'],
    [1, '#d89a6a'],
  ])
  stars(ctx, { count: 90, seed: 12, strength: 0.8, t, lowest: 0.45 })
  earth(ctx, t)
  const x = 190
  const y = 236 + t * 3
  glow(ctx, x, y, 240, '#bcd7ff', 0.42)
  glow(ctx, x, y, 90, '#e8f3ff', 0.9)
  ctx.fillStyle = '#f4f9ff'
  ctx.beginPath()
  ctx.arc(x, y, 11, 0, 7)
  ctx.fill()
  dunes(ctx, t)
  lander(ctx, t)
  hills(ctx, {
    base: 338,
    waves: [
      [12, 90, 0.5],
      [4, 31, 2],
    ],
    colour: '#2a1018',
  })
}

function earth(ctx, t) {
  const shine = 0.75 + 0.25 * Math.sin(t * 2.2)
  glow(ctx, 520, 62, 36, '#9fc4ff', 0.6 * shine)
  ctx.fillStyle = '#eaf3ff'
  ctx.beginPath()
  ctx.arc(520, 62, 2.6, 0, 7)
  ctx.fill()
}

function dunes(ctx, t) {
  const layers = [
    ['#8a4238', 262, 14, 150, 0.2, 3],
    ['#6a2c2e', 286, 18, 118, 2.6, 7],
    ['#481c22', 314, 16, 96, 4.2, 13],
  ]
  for (const [colour, base, size, length, shift, pace] of layers) {
    hills(ctx, {
      base,
      waves: [
        [size, length, shift + (t * pace) / length],
        [size / 4, length / 3.3, shift * 2 + (t * pace) / length],
      ],
      colour,
    })
  }
}

function lander(ctx, t) {
  const x = 424 - t * 6
  const y = 120 + t * 26
  const flame = 30 + Math.sin(t * 26) * 6
  const fire = ctx.createLinearGradient(0, y + 14, 0, y + 14 + flame)
  fire.addColorStop(0, '#fff3d6')
  fire.addColorStop(0.4, '#f6c987cc')
  fire.addColorStop(1, '#e9803a00')
  glow(ctx, x, y + 26, 70, '#f6c987', 0.4)
  ctx.fillStyle = fire
  ctx.beginPath()
  ctx.moveTo(x - 6, y + 13)
  ctx.lineTo(x, y + 14 + flame)
  ctx.lineTo(x + 6, y + 13)
  ctx.fill()
  ctx.fillStyle = '#1a0d18'
  ctx.beginPath()
  ctx.moveTo(x - 11, y + 13)
  ctx.lineTo(x - 8, y - 12)
  ctx.quadraticCurveTo(x, y - 30, x + 8, y - 12)
  ctx.lineTo(x + 11, y + 13)
  ctx.fill()
  ctx.strokeStyle = '#1a0d18'
  ctx.lineWidth = 2.2
  ctx.beginPath()
  ctx.moveTo(x - 9, y + 8)
  ctx.lineTo(x - 19, y + 24)
  ctx.moveTo(x + 9, y + 8)
  ctx.lineTo(x + 19, y + 24)
  ctx.stroke()
  ctx.fillStyle = '#ffd9a0'
  ctx.beginPath()
  ctx.arc(x, y - 9, 2.6, 0, 7)
  ctx.fill()
}
