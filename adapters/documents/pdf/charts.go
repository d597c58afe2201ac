package pdf

import (
	"milaan/adapters/documents/naming"
	"milaan/adapters/wording"
	"milaan/domain"
)

type bar struct {
	name, value string
	amount      domain.Paise // decides on the length
}

// charts draws what is wrong by flag, and how old it is.
func (r *findings) charts() {
	var flagged []bar
	for _, f := range domain.Flags() {
		if s := &r.sums[f]; f.IsFlagged() && s.orders > 0 {
			flagged = append(flagged, bar{wording.Flag(f).Name, s.String(), max(s.short, -s.short)})
		}
	}
	var ages []bar
	bands := r.run.Ageing()
	for i := range bands {
		b := &bands[i]
		ages = append(ages, bar{bandName(b), naming.CountOf(b.Orders, "order") + ", " + b.AtRisk.Exact(), b.AtRisk})
	}
	const gap = 24
	width := (wide - gap) / 2
	height := 22 + float64(max(len(flagged), len(ages)))*barHeight
	r.room(height)
	y := r.y
	reconciled, awaiting := r.sums[domain.Reconciled].orders, r.sums[domain.AwaitingNextCycle].orders
	r.chart(left, y, width, "Flagged orders", flagged, "No order is flagged.")
	r.chart(left+width+gap, y, width, "Days since the money was due", ages, "")
	r.y = y + height + 2
	r.colour(soft)
	r.paragraph(wide, face{regular, 8.5}, "Not flagged: "+naming.CountOf(reconciled, "order")+" settled and "+
		naming.CountOf(awaiting, "order")+" waiting for payout.")
	r.y += 14
}

const barHeight = 24

// chart draws bars below each other. With no bar it says none.
func (r *findings) chart(x, y, width float64, title string, bars []bar, none string) {
	r.colour(r.look.colour)
	r.text(x, y+11, face{bold, 11}, title)
	y += 20
	if len(bars) == 0 {
		r.colour(soft)
		r.text(x, y+9, face{regular, 9}, none)
		return
	}
	most := domain.Paise(1)
	for i := range bars {
		most = max(most, bars[i].amount)
	}
	for i := range bars {
		b := &bars[i]
		f := face{regular, 8.5}
		r.colour(ink)
		r.text(x, y+9, f, b.name)
		r.textRight(x+width, y+9, r.fitted(b.value, f, width-r.width(b.name, f)-10), b.value)
		r.fill(hair, x, y+13, width, 5)
		if b.amount > 0 {
			r.fill(r.look.colour, x, y+13, max(width*float64(b.amount)/float64(most), 1), 5)
		}
		y += barHeight
	}
}
