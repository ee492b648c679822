/* A night ends over a house, and somebody has a name: 8 seconds. */
globalThis.seconds = 8

const FRONT = [
  [20, 190, 0.4],
  [6, 61, 2],
]
const FRONT_BASE = 300

globalThis.draw = (ctx, t) => {
  const dawn = between(t, 0.6, 4.4)
  const day = between(t, 3.4, 6.4)
  const at = (night, first, light) => mix(mix(night, first, dawn), light, day)
  fillSky(ctx, [
    [0, at('#0b1029', '#262a66', '#8fb4dd')],
    [0.36, at('#161c45', '#62407a', '#c4cfe0')],
    [0.62, at('#262658', '#c2584c', '#f6d3a6')],
    [0.8, at('#34295a', '#f0a860', '#fbe8c8')],
    [1, at('#3a2b5c', '#f6c987', '#fff3dc')],
  ])
  stars(ctx, { count: 130, seed: 7, strength: 1 - between(t, 1, 3.6), t })
  sun(ctx, t)
  hills(ctx, {
    base: 236,
    waves: [
      [26, 120, 1.2],
      [8, 47, 0.3],
    ],
    colour: at('#1d1d4c', '#7a3a5c', '#c9a9a4'),
  })
  hills(ctx, {
    base: 268,
    waves: [
      [20, 150, 3.4],
      [7, 53, 1.1],
    ],
    colour: at('#17183f', '#54305a', '#8f9a78'),
  })
  birds(ctx, t)
  hills(ctx, { base: FRONT_BASE, waves: FRONT, colour: at('#0e1233', '#2b1d46', '#5d7a4e') })
  homestead(ctx, t, at)
  name(ctx, t)
}

function sun(ctx, t) {
  const rise = between(t, 1.6, 6.2)
  const x = 436
  const y = 292 - rise * 88
  glow(ctx, x, y, 330, '#f6a55c', 0.75 * between(t, 0.5, 3.2))
  glow(ctx, x, y, 150, '#fff0c8', 0.8 * between(t, 2, 4.6))
  ctx.fillStyle = mix('#ffb866', '#fffaf0', between(t, 2.4, 5.4))
  ctx.beginPath()
  ctx.arc(x, y, 30, 0, 7)
  ctx.fill()
}

/** A house with a lit window, a tree, and small clothes on the line between them. */
function homestead(ctx, t, at) {
  const wall = at('#161a44', '#3d2550', '#f3e3c6')
  const dark = at('#0a0d26', '#22173a', '#6d4a3e')
  ctx.save()
  ctx.translate(92, crest(118, FRONT_BASE, FRONT) - 44)
  ctx.fillStyle = dark
  ctx.fillRect(46, -18, 9, 26)
  ctx.fillStyle = wall
  ctx.fillRect(0, 8, 66, 46)
  ctx.fillStyle = dark
  ctx.beginPath()
  ctx.moveTo(-8, 10)
  ctx.lineTo(33, -24)
  ctx.lineTo(74, 10)
  ctx.fill()
  ctx.fillRect(12, 26, 15, 28)
  const lamp = 1 - between(t, 4.4, 6) * 0.75
  ctx.fillStyle = withAlpha('#ffd08a', lamp)
  ctx.fillRect(40, 22, 15, 14)
  ctx.fillStyle = dark
  ctx.fillRect(46.8, 22, 1.6, 14)
  ctx.restore()
  tree(ctx, at)
  clothes(ctx, t, at)
}

function tree(ctx, at) {
  const x = 262
  const y = crest(x, FRONT_BASE, FRONT)
  ctx.fillStyle = at('#0a0d26', '#22173a', '#6d4a3e')
  ctx.fillRect(x - 3.5, y - 54, 7, 60)
  const random = seeded(21)
  ctx.fillStyle = at('#11173f', '#3a2750', '#6d9160')
  for (let index = 0; index < 26; index += 1) {
    const angle = random() * 7
    const far = random() ** 0.6 * 25
    ctx.beginPath()
    ctx.arc(x + Math.cos(angle) * far * 1.1, y - 70 + Math.sin(angle) * far, 11, 0, 7)
    ctx.fill()
  }
}

function clothes(ctx, t, at) {
  const from = { x: 158, y: crest(118, FRONT_BASE, FRONT) - 28 }
  const to = { x: 258, y: crest(262, FRONT_BASE, FRONT) - 42 }
  const on = (share) => ({
    x: from.x + (to.x - from.x) * share,
    y: from.y + (to.y - from.y) * share + 20 * share * (1 - share),
  })
  ctx.strokeStyle = at('#3a4279', '#7a5a78', '#7d6a58')
  ctx.lineWidth = 1.2
  ctx.beginPath()
  ctx.moveTo(from.x, from.y)
  for (let share = 0; share <= 1.01; share += 0.05) ctx.lineTo(on(share).x, on(share).y)
  ctx.stroke()
  const cloths = [
    ['#b3263a', 0.22],
    ['#fff6e4', 0.44],
    ['#f0a860', 0.64],
    ['#9fb6d8', 0.82],
  ]
  for (const [index, [colour, share]] of cloths.entries()) {
    const { x, y } = on(share)
    ctx.save()
    ctx.translate(x, y)
    ctx.rotate(Math.sin(t * 1.7 + index) * 0.09)
    ctx.fillStyle = mix('#141a40', colour, 0.18 + 0.82 * between(t, 1.4, 4.8))
    if (index % 2) romper(ctx)
    else ctx.fillRect(-6, 0, 12, 14)
    ctx.restore()
  }
}

/** For somebody very small. */
function romper(ctx) {
  ctx.beginPath()
  ctx.moveTo(-10, 2)
  ctx.lineTo(-4, 0)
  ctx.quadraticCurveTo(0, 4, 4, 0)
  ctx.lineTo(10, 2)
  ctx.lineTo(8, 7.5)
  ctx.lineTo(5.5, 6.5)
  ctx.lineTo(6.5, 17)
  ctx.quadraticCurveTo(0, 22, -6.5, 17)
  ctx.lineTo(-5.5, 6.5)
  ctx.lineTo(-8, 7.5)
  ctx.fill()
}

function birds(ctx, t) {
  const there = between(t, 3.6, 4.6)
  if (there <= 0) return
  ctx.strokeStyle = withAlpha('#4a2b45', 0.75 * there)
  ctx.lineWidth = 1.7
  ctx.lineCap = 'round'
  for (let index = 0; index < 5; index += 1) {
    const x = 560 - (t - 3.6) * 22 + [0, 20, 38, 22, 44][index]
    const y = 196 - (t - 3.6) * 4 + [0, -11, -20, 12, 26][index]
    const wing = 3.6 * Math.sin(t * 7 + index * 1.3)
    ctx.beginPath()
    ctx.moveTo(x - 7, y - wing)
    ctx.quadraticCurveTo(x - 2, y - 2, x, y + 1)
    ctx.quadraticCurveTo(x + 2, y - 2, x + 7, y - wing)
    ctx.stroke()
  }
}

function name(ctx, t) {
  ctx.textAlign = 'left'
  ctx.font = '600 78px "Fraunces Variable"'
  const word = 'Aurore'
  let x = (ctx.canvas.width - ctx.measureText(word).width) / 2
  for (const [index, letter] of [...word].entries()) {
    const there = between(t, 4.6 + index * 0.14, 5.5 + index * 0.14)
    ctx.fillStyle = withAlpha('#7c1526', there)
    ctx.fillText(letter, x, 104 + (1 - there) * 10)
    x += ctx.measureText(letter).width
  }
  ctx.textAlign = 'center'
  ctx.font = '600 23px "Figtree Variable"'
  ctx.fillStyle = withAlpha('#4a2b3c', between(t, 6.1, 6.9))
  ctx.fillText('née ce matin, à 6 h 12', ctx.canvas.width / 2, 141)
}
