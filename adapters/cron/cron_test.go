package cron

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// rounds notes when it was called.
type rounds struct {
	at    []time.Time
	sweep func(context.Context) error
}

func (r *rounds) Sweep(ctx context.Context) error {
	r.at = append(r.at, time.Now())
	return r.sweep(ctx)
}

func TestRoundsComeRegularlyAndStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r := &rounds{sweep: func(context.Context) error { return errors.New("database away") }}
		c := New(r, slog.New(slog.NewTextHandler(&log, nil)))
		last := time.Now()
		require.NoError(t, c.Start(t.Context()))

		time.Sleep(24 * time.Hour)
		synctest.Wait()
		require.GreaterOrEqual(t, len(r.at), int(24*time.Hour/(every+jitter)))
		different := map[time.Duration]bool{}
		for _, at := range r.at {
			gap := at.Sub(last)
			require.GreaterOrEqual(t, gap, every)
			require.Less(t, gap, every+jitter)
			different[gap] = true
			last = at
		}
		require.Greater(t, len(different), 1, "copies drift apart")
		require.Equal(t, len(r.at), bytes.Count(log.Bytes(), []byte("database away")), "every failure is logged")

		require.NoError(t, c.Stop(t.Context()))
		n := len(r.at)
		time.Sleep(time.Hour)
		require.Len(t, r.at, n)
	})
}

func TestStopEndsARoundUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r := &rounds{sweep: func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		c := New(r, slog.New(slog.NewTextHandler(&log, nil)))
		require.NoError(t, c.Start(t.Context()))
		time.Sleep(every + jitter)
		synctest.Wait()
		require.Len(t, r.at, 1)
		require.NoError(t, c.Stop(t.Context()))
		require.Empty(t, log.String(), "a stop is no failure")
	})
}

func TestARoundThatHangsIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &rounds{sweep: func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		c := New(r, slog.New(slog.DiscardHandler))
		require.NoError(t, c.Start(t.Context()))
		time.Sleep(2 * (every + jitter + roundLimit))
		synctest.Wait()
		require.Len(t, r.at, 2)
		require.NoError(t, c.Stop(t.Context()))
	})
}

func TestStopGivesUpWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := &rounds{sweep: func(context.Context) error {
			<-release
			return nil
		}}
		c := New(r, slog.New(slog.DiscardHandler))
		require.NoError(t, c.Start(t.Context()))
		time.Sleep(every + jitter)
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, c.Stop(ctx), context.DeadlineExceeded)
		close(release)
	})
}
