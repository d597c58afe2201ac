// Package sftp is an SFTP server on this machine for tests. It is pkg/sftp's own server, with
// files in memory, and it misbehaves as a test says.
package sftp

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"io"
	"io/fs"
	"maps"
	"net"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pkg/sftp"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"

	"milaan/tests/fakes/locked"
	"milaan/tests/fakes/network"
)

// The credentials with which New's servers let people in.
const (
	User     = "acme"
	Password = "correct horse"
)

// Options are what a server is.
type Options struct {
	// HostKeys are its kinds of host keys: ed25519, ecdsa and rsa. Nil: ed25519.
	HostKeys []string
	// Questions makes it ask for the password by keyboard-interactive alone.
	Questions bool
	// Authorized is the key that may sign in too; nil: none.
	Authorized ssh.PublicKey
}

// File is a file of a server. It may be a folder, or a link.
type File struct {
	Content  []byte
	Modified time.Time
	Folder   bool
	Link     string      // path of what it leads to; blank: it is no link
	Mode     fs.FileMode // such as fs.ModeNamedPipe; 0: a regular file
}

// Server is a server that runs until the test ends. It is safe for concurrent use.
type Server struct {
	*network.Unruly
	options Options
	keys    []ssh.Signer
	serving sync.WaitGroup

	mu      sync.Mutex
	files   map[string]File
	refuses bool
	logins  int
	before  func(request, file string)
}

// New starts a server with an empty folder, which is its root.
func New(t testing.TB, options Options) *Server {
	s := &Server{Unruly: network.NewUnruly(t), options: options, files: map[string]File{"/": {Folder: true}}}
	if len(options.HostKeys) == 0 {
		s.options.HostKeys = []string{"ed25519"}
	}
	for _, kind := range s.options.HostKeys {
		s.keys = append(s.keys, NewKey(t, kind))
	}
	s.serving.Go(s.accept)
	t.Cleanup(func() {
		_ = s.Unruly.Close()
		s.serving.Wait()
	})
	return s
}

// NewKey makes a key of a kind: ed25519, ecdsa or rsa.
func NewKey(t testing.TB, kind string) ssh.Signer {
	var key any
	var err error
	switch kind {
	case "rsa":
		key, err = rsa.GenerateKey(rand.Reader, 2048)
	case "ecdsa":
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	default:
		_, key, err = ed25519.GenerateKey(rand.Reader)
	}
	require.NoError(t, err)
	signer, err := ssh.NewSignerFromKey(key)
	require.NoError(t, err)
	return signer
}

// Settings returns how milaan connects to it.
func (s *Server) Settings() map[string]string {
	host, port := s.HostPort()
	return map[string]string{"host": host, "port": port, "user": User, "password": Password, "host_key": s.HostKey(0)}
}

// HostKey returns the fingerprint of one of its host keys.
func (s *Server) HostKey(i int) string { return ssh.FingerprintSHA256(s.keys[i].PublicKey()) }

// Put stores a file, at a path from the root.
func (s *Server) Put(name string, file File) {
	locked.Do(&s.mu, func() { s.files[path.Join("/", name)] = file })
}

// Remove deletes a file.
func (s *Server) Remove(name string) {
	locked.Do(&s.mu, func() { delete(s.files, path.Join("/", name)) })
}

// Grow adds to a file and changes its time.
func (s *Server) Grow(name, more string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name = path.Join("/", name)
	file := s.files[name]
	file.Content = append(slices.Clone(file.Content), more...)
	file.Modified = at
	s.files[name] = file
}

// Refuse makes it refuse every login, or none.
func (s *Server) Refuse(refuses bool) { locked.Do(&s.mu, func() { s.refuses = refuses }) }

// Before calls a function before each request, such as List or Get, with the path that it is
// for. The function may change the server.
func (s *Server) Before(do func(request, file string)) { locked.Do(&s.mu, func() { s.before = do }) }

// Logins counts who has signed in, or tried to.
func (s *Server) Logins() int { return locked.Get(&s.mu, func() int { return s.logins }) }

func (s *Server) accept() {
	for {
		conn, err := s.Accept()
		if err != nil {
			return
		}
		s.serving.Go(func() {
			defer func() { _ = conn.Close() }()
			s.serve(conn)
		})
	}
}

var errRefused = errors.New("refused")

// enter says whether somebody may sign in.
func (s *Server) enter(user string, right bool) (*ssh.Permissions, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logins++
	if s.refuses || user != User || !right {
		return nil, errRefused
	}
	return nil, nil
}

func (s *Server) config() *ssh.ServerConfig {
	config := &ssh.ServerConfig{KeyboardInteractiveCallback: func(meta ssh.ConnMetadata, ask ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
		answers, err := ask("", "", []string{"Password: "}, []bool{false})
		return s.enter(meta.User(), err == nil && len(answers) == 1 && answers[0] == Password)
	}}
	if !s.options.Questions {
		config.PasswordCallback = func(meta ssh.ConnMetadata, password []byte) (*ssh.Permissions, error) {
			return s.enter(meta.User(), string(password) == Password)
		}
	}
	if s.options.Authorized != nil {
		config.PublicKeyCallback = func(meta ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
			return s.enter(meta.User(), string(key.Marshal()) == string(s.options.Authorized.Marshal()))
		}
	}
	for _, key := range s.keys {
		config.AddHostKey(key)
	}
	return config
}

func (s *Server) serve(conn net.Conn) {
	signedIn, channels, requests, err := ssh.NewServerConn(conn, s.config())
	if err != nil {
		return
	}
	defer func() { _ = signedIn.Close() }()
	s.serving.Go(func() { ssh.DiscardRequests(requests) })
	for offered := range channels {
		if offered.ChannelType() != "session" {
			_ = offered.Reject(ssh.UnknownChannelType, "no such channel")
			continue
		}
		channel, requests, err := offered.Accept()
		if err != nil {
			return
		}
		s.serving.Go(func() {
			for request := range requests {
				ok := request.Type == "subsystem" && strings.HasSuffix(string(request.Payload), "sftp")
				_ = request.Reply(ok, nil)
			}
		})
		s.serving.Go(func() {
			server := sftp.NewRequestServer(channel, sftp.Handlers{FileGet: s, FilePut: s, FileCmd: s, FileList: s})
			_ = server.Serve()
			_ = server.Close()
		})
	}
}

// look returns a file, and calls what the test wants called before.
func (s *Server) look(request *sftp.Request) (File, error) {
	s.mu.Lock()
	before := s.before
	s.mu.Unlock()
	if before != nil {
		before(request.Method, request.Filepath)
	}
	return s.file(request.Filepath)
}

func (s *Server) file(name string) (File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	file, ok := s.files[name]
	if !ok {
		return File{}, os.ErrNotExist
	}
	return file, nil
}

// Fileread fills sftp.FileReader.
func (s *Server) Fileread(request *sftp.Request) (io.ReaderAt, error) {
	file, err := s.look(request)
	if err != nil {
		return nil, err
	}
	if file.Link != "" {
		if file, err = s.file(file.Link); err != nil {
			return nil, err
		}
	}
	return strings.NewReader(string(file.Content)), nil
}

// Filewrite fills sftp.FileWriter: nobody may write.
func (s *Server) Filewrite(*sftp.Request) (io.WriterAt, error) { return nil, os.ErrPermission }

// Filecmd fills sftp.FileCmder: nobody may change anything.
func (s *Server) Filecmd(*sftp.Request) error { return os.ErrPermission }

// Lstat fills sftp.LstatFileLister.
func (s *Server) Lstat(request *sftp.Request) (sftp.ListerAt, error) {
	file, err := s.look(request)
	if err != nil {
		return nil, err
	}
	return entries{entry{path.Base(request.Filepath), file}}, nil
}

// Filelist fills sftp.FileLister.
func (s *Server) Filelist(request *sftp.Request) (sftp.ListerAt, error) {
	file, err := s.look(request)
	if err != nil {
		return nil, err
	}
	if request.Method == "Stat" {
		if file.Link != "" {
			if file, err = s.file(file.Link); err != nil {
				return nil, err
			}
		}
		return entries{entry{path.Base(request.Filepath), file}}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var all entries
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		if name != "/" && path.Dir(name) == request.Filepath {
			all = append(all, entry{path.Base(name), s.files[name]})
		}
	}
	return all, nil
}

// entries fills sftp.ListerAt.
type entries []entry

// ListAt fills sftp.ListerAt.
func (e entries) ListAt(into []fs.FileInfo, from int64) (int, error) {
	n := 0
	for ; n < len(into) && int(from)+n < len(e); n++ {
		into[n] = e[int(from)+n]
	}
	if int(from)+n >= len(e) {
		return n, io.EOF
	}
	return n, nil
}

// entry fills fs.FileInfo.
type entry struct {
	name string
	file File
}

// Name fills fs.FileInfo.
func (e entry) Name() string { return e.name }

// Size fills fs.FileInfo.
func (e entry) Size() int64 { return int64(len(e.file.Content)) }

// ModTime fills fs.FileInfo.
func (e entry) ModTime() time.Time { return e.file.Modified }

// IsDir fills fs.FileInfo.
func (e entry) IsDir() bool { return e.file.Folder }

// Sys fills fs.FileInfo.
func (e entry) Sys() any { return nil }

// Mode fills fs.FileInfo.
func (e entry) Mode() fs.FileMode {
	switch {
	case e.file.Folder:
		return fs.ModeDir | 0o755
	case e.file.Link != "":
		return fs.ModeSymlink | 0o777
	}
	return e.file.Mode | 0o644
}
