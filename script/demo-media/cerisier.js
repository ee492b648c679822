/* A cherry tree in blossom, with a swing: one picture. */
globalThis.seconds = 0

globalThis.draw = (ctx) => {
  const { width, height } = ctx.canvas
  fillSky(ctx, [
    [0, '#a9c1e2'],
    [0.42, '#dfd6de'],
    [0.7, '#fbe3cf'],
    [1, '#fdf0dc'],
  ])
  glow(ctx, width * 0.18, height * 0.62, width * 0.5, '#ffe2a8', 0.75)
  hills(ctx, {
    base: height * 0.76,
    waves: [
      [20, 150, 0.6],
      [8, 60, 2],
    ],
    colour: '#c8cdb6',
  })
  hills(ctx, {
    base: height * 0.83,
    waves: [
      [16, 190, 2.8],
      [5, 70, 1],
    ],
    colour: '#a9ba92',
  })
  hills(ctx, {
    base: height * 0.9,
    waves: [
      [8, 210, 4.4],
      [3, 50, 1],
    ],
    colour: '#86a173',
  })
  const random = seeded(44)
  const ends = []
  ctx.strokeStyle = '#4f3430'
  ctx.lineCap = 'round'
  branch(ctx, random, ends, { x: width * 0.6, y: height * 0.95, angle: -1.62, size: 26, depth: 0 })
  swing(ctx, width * 0.44, height * 0.42, height * 0.83)
  blossom(ctx, random, ends)
  petals(ctx, random)
}

function branch(ctx, random, ends, { x, y, angle, size, depth }) {
  const length = (depth === 0 ? 150 : 104) * 0.83 ** depth * (0.85 + random() * 0.3)
  const end = { x: x + Math.cos(angle) * length, y: y + Math.sin(angle) * length }
  ctx.lineWidth = size
  ctx.beginPath()
  ctx.moveTo(x, y)
  ctx.quadraticCurveTo(
    x + Math.cos(angle + 0.2) * length * 0.5,
    y + Math.sin(angle + 0.2) * length * 0.5,
    end.x,
    end.y,
  )
  ctx.stroke()
  if (depth >= 3) ends.push(end)
  if (depth === 7) return
  const spread = depth === 0 ? 0.62 : 0.42
  const bends = depth === 0 ? [-1.05, -0.2, 0.62] : [-spread, spread * (0.7 + random() * 0.5)]
  for (const bend of bends) {
    const level = Math.sin(angle + bend) > 0.1 ? -0.35 * Math.sign(Math.cos(angle + bend)) : 0
    branch(ctx, random, ends, {
      ...end,
      angle: angle + bend + level + (random() - 0.5) * 0.3,
      size: size * (depth === 0 ? 0.6 : 0.66),
      depth: depth + 1,
    })
  }
}

function blossom(ctx, random, ends) {
  const layers = [
    ['#d991a4', 17, 0.5],
    ['#efb4c0', 14, 0.62],
    ['#f9d3d8', 10, 0.72],
    ['#fff1ef', 5.5, 0.85],
  ]
  for (const [index, [colour, size, alpha]] of layers.entries()) {
    ctx.fillStyle = withAlpha(colour, alpha)
    for (const { x, y } of ends) {
      for (let count = 0; count < 2; count += 1) {
        const far = 20 - index * 2
        ctx.beginPath()
        ctx.arc(
          x + (random() - 0.5) * far * 2 - index * 2,
          y + (random() - 0.5) * far * 2 - index * 3,
          size * (0.6 + random() * 0.6),
          0,
          7,
        )
        ctx.fill()
      }
    }
  }
}

function swing(ctx, x, top, bottom) {
  ctx.strokeStyle = '#6b4a3c'
  ctx.lineWidth = 2.4
  for (const side of [-1, 1]) {
    ctx.beginPath()
    ctx.moveTo(x + side * 20, top)
    ctx.lineTo(x + side * 23 - 8, bottom)
    ctx.stroke()
  }
  ctx.fillStyle = '#a03040'
  ctx.fillRect(x - 38, bottom - 2, 60, 7)
}

function petals(ctx, random) {
  const { width, height } = ctx.canvas
  for (let index = 0; index < 120; index += 1) {
    const y = height * (0.45 + random() * 0.53)
    ctx.fillStyle = withAlpha('#f7c6cf', 0.5 + random() * 0.4)
    ctx.beginPath()
    ctx.ellipse(width * (0.1 + random() * 0.85), y, 3.4, 2, random() * 3, 0, 7)
    ctx.fill()
  }
}
